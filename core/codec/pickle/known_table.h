// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/known_names.h"

#include <array>
#include <string_view>

/// The table of known_names.h. Each row was read in the source of CPython 3.11, NumPy 2.4,
/// torch 2.13 (whose classes tests/interop/test_known_names.py asks for the methods that unpickling
/// calls), pandas 3.1 or scikit-learn 1.9; names of older versions are those of the same code.
namespace cairn::pickle::known {

// clang-format off
struct Row {
    std::string_view module;
    Known how;
    std::string_view names; ///< separated by spaces
};

inline constexpr auto kRows = std::to_array<Row>({
    // The language
    {"builtins", Known::Maker, "bool bytearray bytes complex float int object range slice str iter reversed zip enumerate abs len round"},
    {"builtins", Known::Sequence, "list tuple"},
    {"builtins", Known::Set, "set frozenset"},
    {"builtins", Known::Mapping, "dict"},
    {"builtins", Known::Value, "Ellipsis NotImplemented None"},
    {"builtins", Known::Special, "getattr type"},
    {"builtins", Known::Bag,
     "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError"
     " BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError"
     " ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup"
     " FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning"
     " IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError"
     " ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning"
     " PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning"
     " StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError"
     " UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning"
     " ValueError Warning ZeroDivisionError"},
    {"collections", Known::Mapping, "OrderedDict Counter defaultdict"},
    {"collections", Known::Sequence, "deque"},
    {"collections", Known::Bag, "ChainMap UserDict UserList UserString"},
    {"_codecs", Known::Maker, "encode"},
    {"copyreg", Known::Special, "_reconstructor __newobj__ __newobj_ex__"},
    {"argparse", Known::Bag, "Namespace"},
    {"types", Known::Bag, "SimpleNamespace"},
    {"types", Known::Maker, "GenericAlias"},
    {"types", Known::Value, "NoneType EllipsisType NotImplementedType"},
    {"_io", Known::Maker, "BytesIO StringIO"},
    {"io", Known::Maker, "BytesIO StringIO"},
    {"datetime", Known::Maker, "date time datetime timedelta timezone tzinfo"},
    {"zoneinfo", Known::Maker, "ZoneInfo ZoneInfo._unpickle"},
    {"decimal", Known::Maker, "Decimal Context"},
    {"decimal", Known::Bag,
     "Clamped DecimalException DivisionByZero FloatOperation Inexact InvalidOperation Overflow Rounded Subnormal Underflow"},
    {"fractions", Known::Maker, "Fraction"},
    {"uuid", Known::Maker, "UUID"},
    {"uuid", Known::Enum, "SafeUUID"},
    {"pathlib", Known::Maker, "Path PurePath PosixPath PurePosixPath WindowsPath PureWindowsPath"},
    {"pathlib._local", Known::Maker, "Path PurePath PosixPath PurePosixPath WindowsPath PureWindowsPath"},
    {"ipaddress", Known::Maker, "IPv4Address IPv6Address IPv4Network IPv6Network IPv4Interface IPv6Interface"},
    {"random", Known::Maker, "Random"},
    {"array", Known::Maker, "array _array_reconstructor"},
    {"itertools", Known::Maker, "count chain cycle islice repeat product permutations combinations"},
    {"string", Known::Bag, "Template"},
    {"re", Known::Maker, "_compile"},
    {"re", Known::Enum, "RegexFlag"},
    {"logging", Known::Maker, "getLogger"},
    {"enum", Known::Value, "auto Enum IntEnum Flag IntFlag StrEnum"},
    {"enum", Known::Enum, "EnumCheck FlagBoundary"},
    {"http", Known::Enum, "HTTPStatus HTTPMethod"},
    {"signal", Known::Enum, "Signals Handlers Sigmasks"},
    {"socket", Known::Enum, "AddressFamily SocketKind AddressInfo MsgFlag"},
    {"ssl", Known::Enum, "TLSVersion VerifyMode VerifyFlags Options AlertDescription SSLErrorNumber Purpose"},
    {"inspect", Known::Enum, "_ParameterKind"},
    {"inspect", Known::Value, "_empty"},
    {"plistlib", Known::Enum, "PlistFormat"},
    {"pstats", Known::Enum, "SortKey"},
    {"py_compile", Known::Enum, "PycInvalidationMode"},
    {"functools", Known::Maker, "reduce"},
    {"functools", Known::Partial, "partial"},
    {"_functools", Known::Partial, "partial"},
    {"_functools", Known::Maker, "reduce"},
    {"operator", Known::Maker, "getitem or_ add mul sub neg"},
    {"_operator", Known::Maker, "getitem or_ add mul sub neg"},
    {"math", Known::Maker, "sqrt exp log log2 log10 log1p floor ceil sin cos tan tanh pow fabs"},
    {"queue", Known::Bag, "Empty Full"},
    {"json.decoder", Known::Bag, "JSONDecodeError"},
    {"dataclasses", Known::Value, "_MISSING_TYPE MISSING"},
    {"typing", Known::Value,
     "Annotated Any Callable ClassVar Concatenate Final Generic Literal Optional Protocol Tuple Type Union AbstractSet ByteString"
     " Container ContextManager Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence"
     " MutableSet Sequence Sized ValuesView Awaitable AsyncIterator AsyncIterable Coroutine Collection AsyncGenerator"
     " AsyncContextManager Reversible SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt"
     " SupportsRound ChainMap Counter Deque Dict DefaultDict List OrderedDict Set FrozenSet Generator BinaryIO IO Match Pattern"
     " TextIO AnyStr LiteralString Never NoReturn NotRequired Required Self Text TypeAlias TypeGuard Unpack"},
    {"typing_extensions", Known::Value, "Any Literal Annotated Self Never Required NotRequired"},
    // NumPy
    {"numpy", Known::Maker,
     "dtype bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 float128 longdouble complex64"
     " complex128 complex256 clongdouble str_ bytes_ unicode_ string_ longlong ulonglong intc uintc int_ uint long ulong half"
     " single double datetime64 timedelta64 void object_"
     " abs absolute add subtract multiply divide exp exp2 expm1 log log2 log10 log1p sqrt square sin cos tan tanh maximum minimum"
     " clip sign floor ceil mean sum max min median std var"},
    {"numpy", Known::Array, "ndarray"},
    {"numpy", Known::Bag, "poly1d"},
    {"numpy", Known::Type, "memmap"},
    {"numpy", Known::Maker, "matrix record recarray generic number integer floating inexact"},
    {"numpy", Known::Enum, "_CopyMode"},
    {"numpy.rec", Known::Maker, "recarray record"},
    {"numpy.core.records", Known::Maker, "recarray record"},
    {"numpy._core.records", Known::Maker, "recarray record"},
    {"numpy.matrixlib.defmatrix", Known::Maker, "matrix"},
    {"numpy.core.memmap", Known::Type, "memmap"},
    {"numpy._core.memmap", Known::Type, "memmap"},
    {"numpy.core.multiarray", Known::Array, "_reconstruct"},
    {"numpy._core.multiarray", Known::Array, "_reconstruct"},
    {"numpy.core.multiarray", Known::Maker, "scalar"},
    {"numpy._core.multiarray", Known::Maker, "scalar"},
    {"numpy.core.numeric", Known::Maker, "_frombuffer"},
    {"numpy._core.numeric", Known::Maker, "_frombuffer"},
    {"numpy._core._internal", Known::Maker, "_convert_to_stringdtype_kwargs"},
    {"numpy.core", Known::Special, "_ufunc_reconstruct"},
    {"numpy._core", Known::Special, "_ufunc_reconstruct"},
    {"numpy._globals", Known::Maker, "_NoValueType"},
    {"numpy.ma", Known::Maker, "MaskedArray"},
    {"numpy.ma.core", Known::Maker, "_mareconstruct MaskedArray MaskedConstant"},
    {"numpy.ma.mrecords", Known::Maker, "_mrreconstruct"},
    {"numpy.ma.mrecords", Known::Type, "MaskedRecords"},
    {"numpy.random._pickle", Known::Maker, "__randomstate_ctor __generator_ctor __bit_generator_ctor"},
    {"numpy.random._mt19937", Known::Maker, "MT19937"},
    {"numpy.random._pcg64", Known::Maker, "PCG64 PCG64DXSM"},
    {"numpy.random._philox", Known::Maker, "Philox"},
    {"numpy.random._sfc64", Known::Maker, "SFC64"},
    {"numpy.random.bit_generator", Known::Maker, "SeedSequence SeedlessSeedSequence __pyx_unpickle_SeedSequence"},
    {"numpy.polynomial.polynomial", Known::Bag, "Polynomial"},
    {"numpy.polynomial.chebyshev", Known::Bag, "Chebyshev"},
    {"numpy.polynomial.legendre", Known::Bag, "Legendre"},
    {"numpy.polynomial.hermite", Known::Bag, "Hermite"},
    {"numpy.polynomial.hermite_e", Known::Bag, "HermiteE"},
    {"numpy.polynomial.laguerre", Known::Bag, "Laguerre"},
    // torch: values and what makes tensors
    {"torch", Known::Value,
     "dtype layout memory_format qscheme"
     " float64 float32 float16 float double half bfloat16 complex32 complex64 complex128 cfloat cdouble chalf"
     " int64 int32 int16 int8 long int short uint8 uint16 uint32 uint64 bool"
     " float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu float4_e2m1fn_x2"
     " qint8 quint8 qint32 quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16"
     " int1 int2 int3 int4 int5 int6 int7 uint1 uint2 uint3 uint4 uint5 uint6 uint7"
     " strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged"
     " contiguous_format preserve_format channels_last channels_last_3d"
     " per_tensor_affine per_channel_affine per_tensor_symmetric per_channel_symmetric per_channel_affine_float_qparams"},
    {"torch", Known::Maker, "Size device Tensor Generator"},
    {"torch._utils", Known::Maker,
     "_rebuild_tensor _rebuild_tensor_v2 _rebuild_tensor_v3 _rebuild_parameter _rebuild_parameter_with_state _rebuild_qtensor"
     " _rebuild_sparse_tensor _rebuild_sparse_csr_tensor _rebuild_meta_tensor_no_storage _rebuild_device_tensor_from_numpy"
     " _rebuild_device_tensor_from_cpu_tensor _rebuild_xla_tensor _rebuild_nested_tensor _rebuild_wrapper_subclass"},
    {"torch._tensor", Known::Maker, "_rebuild_from_type _rebuild_from_type_v2 Tensor"},
    {"torch.tensor", Known::Maker, "_rebuild_from_type _rebuild_from_type_v2"},
    {"torch.nested._internal.nested_tensor", Known::Maker, "_rebuild_njt"},
    {"torch.nested._internal.nested_tensor", Known::Type, "NestedTensor"},
    {"torch.serialization", Known::Maker, "_get_layout"},
    {"torch", Known::Reader, "ScriptObject"},
    {"torch.amp.grad_scaler", Known::Maker, "_refresh_per_optimizer_state"},
    {"torch.cuda.amp.grad_scaler", Known::Maker, "_refresh_per_optimizer_state"},
    {"torch._dynamo.decorators", Known::Bag, "_DimRange"},
    {"torch.storage", Known::Maker, "UntypedStorage TypedStorage _UntypedStorage _TypedStorage"},
    {"torch.storage", Known::Special, "_load_from_bytes"},
    {"torch.nn.parameter", Known::Maker, "Parameter Buffer UninitializedParameter UninitializedBuffer"},
    {"torch.nn", Known::Maker, "Parameter"},
    {"torch._C", Known::Maker, "_LegacyVariableBase Generator"},
    {"torch._C", Known::Type, "_VariableFunctionsClass _VariableFunctions"},
    {"torch.autograd.variable", Known::Maker, "Variable"},
    {"torch.nn.backends.thnn", Known::Maker, "_get_thnn_function_backend"},
    {"torch.jit._pickle", Known::Maker,
     "restore_type_tag build_intlist build_tensorlist build_doublelist build_boollist build_tensor_from_id"},
    // torch: functions of tensors
    {"torch.nn.functional", Known::Maker,
     "adaptive_avg_pool2d adaptive_avg_pool3d affine_grid alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm"
     " binary_cross_entropy binary_cross_entropy_with_logits celu conv1d conv2d conv3d cosine_embedding_loss cosine_similarity"
     " cross_entropy ctc_loss dropout dropout1d dropout2d dropout3d elu elu_ embedding embedding_bag feature_alpha_dropout fold"
     " gaussian_nll_loss gelu glu grid_sample group_norm gumbel_softmax hardshrink hardsigmoid hardswish hardtanh hardtanh_"
     " hinge_embedding_loss huber_loss instance_norm interpolate kl_div l1_loss layer_norm leaky_relu leaky_relu_ linear"
     " local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d margin_ranking_loss mish mse_loss multi_margin_loss"
     " multilabel_margin_loss multilabel_soft_margin_loss nll_loss normalize one_hot pad pairwise_distance pixel_shuffle"
     " poisson_nll_loss prelu relu relu_ relu6 rms_norm rrelu rrelu_ scaled_dot_product_attention selu selu_ sigmoid silu"
     " smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh tanhshrink threshold threshold_"
     " triplet_margin_loss unfold upsample"},
    {"torch._C._nn", Known::Maker,
     "avg_pool2d avg_pool3d binary_cross_entropy elu elu_ gelu gelu_ glu hardsigmoid hardsigmoid_ hardswish hardswish_ hardtanh"
     " hardtanh_ huber_loss l1_loss leaky_relu leaky_relu_ linear log_sigmoid mish mish_ mse_loss nll_loss one_hot pad relu6"
     " relu6_ scaled_dot_product_attention silu silu_ smooth_l1_loss soft_margin_loss softplus softshrink"},
    // torch: classes whose instances are saved
    {"torch.amp.grad_scaler", Known::Enum, "OptState"},
    {"torch.ao.quantization.backend_config.backend_config", Known::Enum, "ObservationType"},
    {"torch.ao.quantization.observer", Known::Enum, "MappingType ZeroPointDomain TorchAODType"},
    {"torch.ao.quantization.quant_type", Known::Enum, "QuantType"},
    {"torch.distributed._shard.sharded_tensor.metadata", Known::Enum, "MEM_FORMAT_ENCODING"},
    {"torch.distributed.algorithms._checkpoint.checkpoint_wrapper", Known::Enum, "CheckpointImpl"},
    {"torch.distributed.checkpoint.filesystem", Known::Enum, "SerializationFormat"},
    {"torch.distributed.checkpoint.metadata", Known::Enum, "_MEM_FORMAT_ENCODING"},
    {"torch.distributed.checkpoint.planner", Known::Enum, "WriteItemType LoadItemType"},
    {"torch.distributed.fsdp.api", Known::Enum, "ShardingStrategy BackwardPrefetch StateDictType"},
    {"torch.distributed.fsdp.fully_sharded_data_parallel", Known::Enum, "OptimStateKeyType"},
    {"torch.distributed.tensor.placement_types", Known::Enum, "_StridedShardOffsetMode"},
    {"torch.export.dynamic_shapes", Known::Enum, "_DimHintType"},
    {"torch.export.graph_signature", Known::Enum, "InputKind OutputKind"},
    {"torch.nn.attention.flex_attention", Known::Enum, "_ModificationType"},
    {"torch.nn.parallel.distributed", Known::Enum, "_BufferCommHookLocation"},
    {"torch.nn.utils.parametrizations", Known::Enum, "_OrthMaps"},
    {"torch.ao.quantization.backend_config._common_operator_config_utils", Known::Record, "_ConvMetadata"},
    {"torch.ao.quantization.qconfig", Known::Record, "QConfig QConfigDynamic"},
    {"torch.distributed._shard.sharded_tensor.api", Known::Record, "ShardedTensor.ProcessGroupState"},
    {"torch.distributed._sharded_tensor.api", Known::Record, "ShardedTensor.ProcessGroupState"},
    {"torch.distributed._tensor._dtensor_spec", Known::Record, "TensorMeta ShardOrderEntry"},
    {"torch.distributed._tensor.placement_types", Known::Record, "TensorMeta"},
    {"torch.distributed.tensor._dtensor_spec", Known::Record, "TensorMeta ShardOrderEntry"},
    {"torch.fx.graph", Known::Record, "_CustomBuiltin _PyTreeInfo"},
    {"torch.nn.attention.flex_attention", Known::Record,
     "AuxRequest AuxOutput _CallableLeaf _StrippedClosure _StrippedPartial _PlainFunction"},
    {"torch.nn.modules.adaptive", Known::Record, "_ASMoutput"},
    {"torch.nn.modules.module", Known::Record, "_IncompatibleKeys"},
    {"torch.nn.utils.rnn", Known::Record, "PackedSequence_ PackedSequence"},
    {"torch.utils._pytree", Known::Record, "NodeDef _SerializeNodeDef _ProtocolFn"},
    {"torch._C._distributed_c10d", Known::Data, "ReduceOp ReduceOp.RedOpType"},
    {"torch.amp.grad_scaler", Known::Data, "_MultiDeviceReplicator GradScaler"},
    {"torch.ao.quantization", Known::Data, "_DerivedObserverOrFakeQuantize"},
    {"torch.ao.quantization.backend_config.backend_config", Known::Data,
     "DTypeWithConstraints DTypeConfig BackendConfig BackendPatternConfig"},
    {"torch.ao.quantization.observer", Known::Data, "_PartialWrapper"},
    {"torch.ao.quantization.qconfig_mapping", Known::Data, "QConfigMapping"},
    {"torch.ao.quantization.stubs", Known::Data, "QuantStub DeQuantStub QuantWrapper"},
    {"torch.cuda.amp.grad_scaler", Known::Data, "GradScaler"},
    {"torch.distributed", Known::Data, "ReduceOp"},
    {"torch.distributed._mesh_layout", Known::Data, "_FlatLayout _MeshLayout"},
    {"torch.distributed._shard.checkpoint.filesystem", Known::Data, "_StorageInfo _StoragePrefix"},
    {"torch.distributed._shard.checkpoint.metadata", Known::Data,
     "Metadata TensorStorageMetadata BytesStorageMetadata ChunkStorageMetadata MetadataIndex"},
    {"torch.distributed._shard.metadata", Known::Data, "ShardMetadata"},
    {"torch.distributed._shard.sharded_tensor.metadata", Known::Data, "ShardedTensorMetadata"},
    {"torch.distributed._shard.sharded_tensor.shard", Known::Data, "Shard"},
    {"torch.distributed._shard.sharding_plan.api", Known::Data, "ShardingPlan ShardingPlanner"},
    {"torch.distributed._shard.sharding_spec.api", Known::Data,
     "PlacementSpec DevicePlacementSpec ShardingSpec EnumerableShardingSpec"},
    {"torch.distributed._shard.sharding_spec.chunk_sharding_spec", Known::Data, "ChunkShardingSpec"},
    {"torch.distributed._sharding_spec.api", Known::Data,
     "PlacementSpec DevicePlacementSpec ShardingSpec EnumerableShardingSpec"},
    {"torch.distributed._sharding_spec.chunk_sharding_spec", Known::Data, "ChunkShardingSpec"},
    {"torch.distributed._tensor._dtensor_spec", Known::Data, "DTensorSpec"},
    {"torch.distributed._tensor.placement_types", Known::Data,
     "DTensorSpec Shard _StridedShard Replicate Partial _Partial"},
    {"torch.distributed.checkpoint._fsspec_filesystem", Known::Data, "FileSystem FsspecWriter FsspecReader"},
    {"torch.distributed.checkpoint._hf_utils", Known::Data, "_HFStorageInfo"},
    {"torch.distributed.checkpoint.default_planner", Known::Data,
     "DefaultSavePlanner DefaultLoadPlanner _EmptyStateDictLoadPlanner"},
    {"torch.distributed.checkpoint.filesystem", Known::Data,
     "_StorageInfo _StoragePrefix _TensorLoader _SerialCpuLoader _OverlappingCpuLoader _StorageWriterTransforms"
     " FileSystemBase FileSystem _FileSystemWriter _StorageReaderTransforms FileSystemReader FileSystemWriter"},
    {"torch.distributed.checkpoint.metadata", Known::Data,
     "ChunkStorageMetadata TensorStorageMetadata BytesStorageMetadata StorageMeta Metadata MetadataIndex"},
    {"torch.distributed.checkpoint.planner", Known::Data,
     "BytesIOWriteData TensorWriteData WriteItem ReadItem SavePlan LoadPlan SavePlanner LoadPlanner"},
    {"torch.distributed.checkpoint.state_dict", Known::Data, "StateDictOptions _StateDictInfo _EXTRA_STATE"},
    {"torch.distributed.fsdp", Known::Data,
     "CPUOffloadPolicy DataParallelMeshDims MixedPrecisionPolicy OffloadPolicy UnshardHandle"},
    {"torch.distributed.fsdp.api", Known::Data,
     "MixedPrecision CPUOffload StateDictConfig FullStateDictConfig LocalStateDictConfig ShardedStateDictConfig"
     " OptimStateDictConfig FullOptimStateDictConfig LocalOptimStateDictConfig ShardedOptimStateDictConfig"
     " StateDictSettings"},
    {"torch.distributed.fsdp.sharded_grad_scaler", Known::Data, "_GeneralMultiDeviceReplicator ShardedGradScaler"},
    {"torch.distributed.fsdp.wrap", Known::Data, "_Policy ModuleWrapPolicy CustomPolicy _ConfigAutoWrap"},
    {"torch.distributed.remote_device", Known::Data, "_remote_device"},
    {"torch.distributed.tensor._dtensor_spec", Known::Data, "DTensorSpec"},
    {"torch.distributed.tensor._ops._embedding_ops", Known::Data, "_MaskPartial"},
    {"torch.distributed.tensor._ops._math_ops", Known::Data, "_NormPartial"},
    {"torch.distributed.tensor.parallel.style", Known::Data,
     "ParallelStyle ColwiseParallel RowwiseParallel SequenceParallel PrepareModuleInput PrepareModuleOutput"
     " PrepareModuleInputOutput"},
    {"torch.distributed.tensor.placement_types", Known::Data,
     "Placement Shard _StridedShard Replicate Partial _Partial _NormPartial _MaskPartial"},
    {"torch.export.dynamic_shapes", Known::Data,
     "_DimHint Dim _StaticDim _DerivedDim _ConstraintTarget _Constraint _PhantomRoot _DerivedConstraint"
     " _RelaxedConstraint _IntWrapper ShapesCollection AdditionalInputs"},
    {"torch.export.graph_signature", Known::Data,
     "TensorArgument TokenArgument SymIntArgument SymFloatArgument SymBoolArgument CustomObjArgument"
     " ConstantArgument InputSpec OutputSpec ExportBackwardSignature ExportGraphSignature"},
    {"torch.fx.graph", Known::Data,
     "_Namespace PythonCode _ParsedStackTrace CodeGen _BoxedCodeGen _PyTreeCodeGen _ExportCodeGen Graph"},
    {"torch.nn.attention.flex_attention", Known::Data,
     "FlexKernelOptions _KernelOptionsWithInternals _ExtractedLeaf _MaskModWrapper BlockMask"},
    {"torch.nn.modules.module", Known::Data, "_WrappedHook"},
    {"torch.nn.parallel.data_parallel", Known::Data, "DataParallel"},
    {"torch.nn.parallel.distributed", Known::Data, "_BucketCapacityConfig _MixedPrecision _BufferCommHook"},
    {"torch.torch_version", Known::Data, "TorchVersion"},
    {"torch.utils._pytree", Known::Data,
     "KeyEntry EnumEncoder ConstantNode SequenceKey MappingKey GetAttrKey TreeSpec _TreeSpecSchema"},
    {"torch.utils.data.dataloader", Known::Data, "_DatasetKind _InfiniteConstantSampler"},
    {"torch.utils.data.dataset", Known::Data,
     "Dataset IterableDataset TensorDataset StackDataset ConcatDataset ChainDataset Subset"},
    {"torch.utils.data.distributed", Known::Data, "DistributedSampler"},
    {"torch.distributed._shard.checkpoint.metadata", Known::Reader, "TensorProperties"},
    {"torch.distributed._shard.sharded_tensor.api", Known::Reader, "ShardedTensor"},
    {"torch.distributed._shard.sharded_tensor.metadata", Known::Reader, "TensorProperties"},
    {"torch.distributed._sharded_tensor.api", Known::Reader, "ShardedTensor"},
    {"torch.distributed._tensor.device_mesh", Known::Reader, "DeviceMesh"},
    {"torch.distributed.checkpoint.metadata", Known::Reader, "TensorProperties"},
    {"torch.distributed.device_mesh", Known::Reader, "DeviceMesh"},
    {"torch.nn.parallel.distributed", Known::Reader, "DistributedDataParallel"},
    {"torch.optim", Known::OpenReader, "Adafactor Muon"},
    {"torch.optim._adafactor", Known::OpenReader, "Adafactor"},
    {"torch.optim._muon", Known::OpenReader, "Muon"},
    {"torch.optim.adadelta", Known::OpenReader, "Adadelta"},
    {"torch.optim.adafactor", Known::OpenReader, "Adafactor"},
    {"torch.optim.adagrad", Known::OpenReader, "Adagrad"},
    {"torch.optim.adam", Known::OpenReader, "Adam"},
    {"torch.optim.adamax", Known::OpenReader, "Adamax"},
    {"torch.optim.adamw", Known::OpenReader, "AdamW"},
    {"torch.optim.asgd", Known::OpenReader, "ASGD"},
    {"torch.optim.lbfgs", Known::OpenReader, "LBFGS"},
    {"torch.optim.nadam", Known::OpenReader, "NAdam"},
    {"torch.optim.optimizer", Known::OpenReader, "Optimizer"},
    {"torch.optim.radam", Known::OpenReader, "RAdam"},
    {"torch.optim.rmsprop", Known::OpenReader, "RMSprop"},
    {"torch.optim.rprop", Known::OpenReader, "Rprop"},
    {"torch.optim.sgd", Known::OpenReader, "SGD"},
    {"torch.optim.sparse_adam", Known::OpenReader, "SparseAdam"},
    {"torch.utils.data.dataloader", Known::Data, "DataLoader"},
    {"torch.ao.nn.intrinsic.modules.fused", Known::Open,
     "_FusedModule ConvReLU1d ConvReLU2d ConvReLU3d LinearReLU ConvBn1d ConvBn2d ConvBnReLU1d ConvBnReLU2d ConvBn3d"
     " ConvBnReLU3d BNReLU2d BNReLU3d LinearBn1d LinearLeakyReLU LinearTanh ConvAdd2d ConvAddReLU2d"},
    {"torch.ao.nn.intrinsic.qat.modules.conv_fused", Known::Open,
     "_ConvBnNd ConvBn1d ConvBnReLU1d ConvReLU1d ConvBn2d ConvBnReLU2d ConvReLU2d ConvBn3d ConvBnReLU3d ConvReLU3d"},
    {"torch.ao.nn.intrinsic.qat.modules.linear_fused", Known::Open, "LinearBn1d"},
    {"torch.ao.nn.intrinsic.qat.modules.linear_relu", Known::Open, "LinearReLU"},
    {"torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu", Known::Open, "LinearReLU"},
    {"torch.ao.nn.intrinsic.quantized.modules.bn_relu", Known::Open, "BNReLU2d BNReLU3d"},
    {"torch.ao.nn.intrinsic.quantized.modules.conv_add", Known::Open, "ConvAdd2d ConvAddReLU2d"},
    {"torch.ao.nn.intrinsic.quantized.modules.conv_relu", Known::Open, "ConvReLU1d ConvReLU2d ConvReLU3d"},
    {"torch.ao.nn.intrinsic.quantized.modules.linear_relu", Known::Open, "LinearReLU LinearLeakyReLU LinearTanh"},
    {"torch.ao.nn.qat.dynamic.modules.linear", Known::Open, "Linear"},
    {"torch.ao.nn.qat.modules.conv", Known::Open, "_ConvNd Conv1d Conv2d Conv3d"},
    {"torch.ao.nn.qat.modules.embedding_ops", Known::Open, "Embedding EmbeddingBag"},
    {"torch.ao.nn.qat.modules.linear", Known::Open, "Linear"},
    {"torch.ao.nn.quantizable.modules.activation", Known::Open, "MultiheadAttention"},
    {"torch.ao.nn.quantizable.modules.rnn", Known::Open, "LSTMCell _LSTMSingleLayer _LSTMLayer LSTM"},
    {"torch.ao.nn.quantized.dynamic.modules.conv", Known::Open,
     "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"},
    {"torch.ao.nn.quantized.dynamic.modules.linear", Known::Open, "Linear"},
    {"torch.ao.nn.quantized.dynamic.modules.rnn", Known::Open,
     "PackedParameter RNNBase LSTM GRU RNNCellBase RNNCell LSTMCell GRUCell"},
    {"torch.ao.nn.quantized.modules", Known::Open, "Quantize DeQuantize"},
    {"torch.ao.nn.quantized.modules.activation", Known::Open,
     "ReLU6 Hardswish ELU LeakyReLU Sigmoid Softmax MultiheadAttention PReLU"},
    {"torch.ao.nn.quantized.modules.batchnorm", Known::Open, "_BatchNorm BatchNorm2d BatchNorm3d"},
    {"torch.ao.nn.quantized.modules.conv", Known::Open,
     "_ConvNd Conv1d Conv2d Conv3d _ConvTransposeNd ConvTranspose1d ConvTranspose2d ConvTranspose3d"},
    {"torch.ao.nn.quantized.modules.dropout", Known::Open, "Dropout"},
    {"torch.ao.nn.quantized.modules.embedding_ops", Known::Open, "EmbeddingPackedParams Embedding EmbeddingBag"},
    {"torch.ao.nn.quantized.modules.functional_modules", Known::Open, "FloatFunctional FXFloatFunctional QFunctional"},
    {"torch.ao.nn.quantized.modules.linear", Known::Open, "LinearPackedParams Linear"},
    {"torch.ao.nn.quantized.modules.normalization", Known::Open,
     "LayerNorm GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d"},
    {"torch.ao.nn.quantized.modules.rnn", Known::Open, "LSTM"},
    {"torch.ao.nn.quantized.modules.utils", Known::Open, "WeightedQuantizedModule"},
    {"torch.ao.nn.quantized.reference.modules.conv", Known::Open,
     "_ConvNd Conv1d Conv2d Conv3d _ConvTransposeNd ConvTranspose1d ConvTranspose2d ConvTranspose3d"},
    {"torch.ao.nn.quantized.reference.modules.linear", Known::Open, "Linear"},
    {"torch.ao.nn.quantized.reference.modules.rnn", Known::Open,
     "RNNCellBase RNNCell LSTMCell GRUCell RNNBase LSTM GRU"},
    {"torch.ao.nn.quantized.reference.modules.sparse", Known::Open, "Embedding EmbeddingBag"},
    {"torch.ao.nn.quantized.reference.modules.utils", Known::Open, "ReferenceQuantizedModule"},
    {"torch.ao.quantization.fake_quantize", Known::Open,
     "FakeQuantizeBase FakeQuantize FixedQParamsFakeQuantize FusedMovingAvgObsFakeQuantize"},
    {"torch.ao.quantization.observer", Known::Open,
     "ObserverBase UniformQuantizationObserverBase MinMaxObserver MovingAverageMinMaxObserver"
     " PerChannelMinMaxObserver MovingAveragePerChannelMinMaxObserver HistogramObserver FixedQParamsObserver"
     " PlaceholderObserver RecordingObserver NoopObserver ReuseInputObserver Granularity PerBlock PerTensor PerAxis"
     " PerGroup PerRow PerToken AffineQuantizedObserverBase"},
    {"torch.ao.quantization.utils", Known::Open, "MatchAllNode"},
    {"torch.distributions.bernoulli", Known::Open, "Bernoulli"},
    {"torch.distributions.beta", Known::Open, "Beta"},
    {"torch.distributions.binomial", Known::Open, "Binomial"},
    {"torch.distributions.categorical", Known::Open, "Categorical"},
    {"torch.distributions.cauchy", Known::Open, "Cauchy"},
    {"torch.distributions.chi2", Known::Open, "Chi2"},
    {"torch.distributions.constraint_registry", Known::Open, "ConstraintRegistry"},
    {"torch.distributions.constraints", Known::Open,
     "Constraint _Dependent _IndependentConstraint MixtureSameFamilyConstraint _Boolean _OneHot _IntegerInterval"
     " _IntegerLessThan _IntegerGreaterThan _Real _GreaterThan _GreaterThanEq _LessThan _Interval _HalfOpenInterval"
     " _Simplex _Multinomial _LowerTriangular _LowerCholesky _CorrCholesky _Square _Symmetric _PositiveSemidefinite"
     " _PositiveDefinite _Cat _Stack"},
    {"torch.distributions.continuous_bernoulli", Known::Open, "ContinuousBernoulli"},
    {"torch.distributions.dirichlet", Known::Open, "Dirichlet"},
    {"torch.distributions.distribution", Known::Open, "Distribution"},
    {"torch.distributions.exp_family", Known::Open, "ExponentialFamily"},
    {"torch.distributions.exponential", Known::Open, "Exponential"},
    {"torch.distributions.fishersnedecor", Known::Open, "FisherSnedecor"},
    {"torch.distributions.gamma", Known::Open, "Gamma"},
    {"torch.distributions.generalized_pareto", Known::Open, "GeneralizedPareto"},
    {"torch.distributions.geometric", Known::Open, "Geometric"},
    {"torch.distributions.gumbel", Known::Open, "Gumbel"},
    {"torch.distributions.half_cauchy", Known::Open, "HalfCauchy"},
    {"torch.distributions.half_normal", Known::Open, "HalfNormal"},
    {"torch.distributions.independent", Known::Open, "Independent"},
    {"torch.distributions.inverse_gamma", Known::Open, "InverseGamma"},
    {"torch.distributions.kl", Known::Open, "_Match"},
    {"torch.distributions.kumaraswamy", Known::Open, "Kumaraswamy"},
    {"torch.distributions.laplace", Known::Open, "Laplace"},
    {"torch.distributions.lkj_cholesky", Known::Open, "LKJCholesky"},
    {"torch.distributions.log_normal", Known::Open, "LogNormal"},
    {"torch.distributions.logistic_normal", Known::Open, "LogisticNormal"},
    {"torch.distributions.lowrank_multivariate_normal", Known::Open, "LowRankMultivariateNormal"},
    {"torch.distributions.mixture_same_family", Known::Open, "MixtureSameFamily"},
    {"torch.distributions.multinomial", Known::Open, "Multinomial"},
    {"torch.distributions.multivariate_normal", Known::Open, "MultivariateNormal"},
    {"torch.distributions.negative_binomial", Known::Open, "NegativeBinomial"},
    {"torch.distributions.normal", Known::Open, "Normal"},
    {"torch.distributions.one_hot_categorical", Known::Open, "OneHotCategorical OneHotCategoricalStraightThrough"},
    {"torch.distributions.pareto", Known::Open, "Pareto"},
    {"torch.distributions.poisson", Known::Open, "Poisson"},
    {"torch.distributions.relaxed_bernoulli", Known::Open, "LogitRelaxedBernoulli RelaxedBernoulli"},
    {"torch.distributions.relaxed_categorical", Known::Open, "ExpRelaxedCategorical RelaxedOneHotCategorical"},
    {"torch.distributions.studentT", Known::Open, "StudentT"},
    {"torch.distributions.transformed_distribution", Known::Open, "TransformedDistribution"},
    {"torch.distributions.transforms", Known::Open,
     "Transform _InverseTransform ComposeTransform IndependentTransform ReshapeTransform ExpTransform PowerTransform"
     " SigmoidTransform SoftplusTransform TanhTransform AbsTransform AffineTransform CorrCholeskyTransform"
     " SoftmaxTransform StickBreakingTransform LowerCholeskyTransform PositiveDefiniteTransform CatTransform"
     " StackTransform CumulativeDistributionTransform"},
    {"torch.distributions.uniform", Known::Open, "Uniform"},
    {"torch.distributions.utils", Known::Open, "lazy_property"},
    {"torch.distributions.von_mises", Known::Open, "VonMises"},
    {"torch.distributions.weibull", Known::Open, "Weibull"},
    {"torch.distributions.wishart", Known::Open, "Wishart"},
    {"torch.nn.modules.activation", Known::Open,
     "Threshold ReLU RReLU Hardtanh ReLU6 Sigmoid Hardsigmoid Tanh SiLU Mish Hardswish ELU CELU SELU GLU GELU"
     " Hardshrink LeakyReLU LogSigmoid Softplus Softshrink MultiheadAttention PReLU Softsign Tanhshrink Softmax"
     " Softmax2d Softmin LogSoftmax"},
    {"torch.nn.modules.adaptive", Known::Open, "AdaptiveLogSoftmaxWithLoss"},
    {"torch.nn.modules.batchnorm", Known::Open,
     "_NormBase _BatchNorm _LazyNormBase BatchNorm1d LazyBatchNorm1d BatchNorm2d LazyBatchNorm2d BatchNorm3d"
     " LazyBatchNorm3d SyncBatchNorm"},
    {"torch.nn.modules.channelshuffle", Known::Open, "ChannelShuffle"},
    {"torch.nn.modules.container", Known::Open,
     "Sequential ModuleList ModuleDict ParameterList ParameterDict Container"},
    {"torch.nn.modules.conv", Known::Open,
     "_ConvNd Conv1d Conv2d Conv3d _ConvTransposeNd ConvTranspose1d ConvTranspose2d ConvTranspose3d"
     " _ConvTransposeMixin _LazyConvXdMixin LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d"
     " LazyConvTranspose3d"},
    {"torch.nn.modules.distance", Known::Open, "PairwiseDistance CosineSimilarity"},
    {"torch.nn.modules.dropout", Known::Open,
     "_DropoutNd Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout"},
    {"torch.nn.modules.flatten", Known::Open, "Flatten Unflatten"},
    {"torch.nn.modules.fold", Known::Open, "Fold Unfold"},
    {"torch.nn.modules.instancenorm", Known::Open,
     "_InstanceNorm InstanceNorm1d LazyInstanceNorm1d InstanceNorm2d LazyInstanceNorm2d InstanceNorm3d"
     " LazyInstanceNorm3d"},
    {"torch.nn.modules.linear", Known::Open, "Identity Linear NonDynamicallyQuantizableLinear Bilinear LazyLinear"},
    {"torch.nn.modules.loss", Known::Open,
     "_Loss _WeightedLoss L1Loss NLLLoss PoissonNLLLoss GaussianNLLLoss KLDivLoss MSELoss BCELoss BCEWithLogitsLoss"
     " HingeEmbeddingLoss MultiLabelMarginLoss SmoothL1Loss HuberLoss SoftMarginLoss CrossEntropyLoss"
     " LinearCrossEntropyLoss MultiLabelSoftMarginLoss CosineEmbeddingLoss MarginRankingLoss MultiMarginLoss"
     " TripletMarginLoss TripletMarginWithDistanceLoss CTCLoss NLLLoss2d"},
    {"torch.nn.modules.module", Known::Open, "Module"},
    {"torch.nn.modules.normalization", Known::Open, "LocalResponseNorm CrossMapLRN2d LayerNorm GroupNorm RMSNorm"},
    {"torch.nn.modules.padding", Known::Open,
     "_CircularPadNd CircularPad1d CircularPad2d CircularPad3d _ConstantPadNd ConstantPad1d ConstantPad2d"
     " ConstantPad3d _ReflectionPadNd ReflectionPad1d ReflectionPad2d ReflectionPad3d _ReplicationPadNd"
     " ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d"},
    {"torch.nn.modules.pixelshuffle", Known::Open, "PixelShuffle PixelUnshuffle"},
    {"torch.nn.modules.pooling", Known::Open,
     "_MaxPoolNd MaxPool1d MaxPool2d MaxPool3d _MaxUnpoolNd MaxUnpool1d MaxUnpool2d MaxUnpool3d _AvgPoolNd AvgPool1d"
     " AvgPool2d FractionalMaxPool2d FractionalMaxPool3d _LPPoolNd LPPool1d LPPool2d LPPool3d _AdaptiveMaxPoolNd"
     " AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d _AdaptiveAvgPoolNd AdaptiveAvgPool1d AdaptiveAvgPool2d"
     " AdaptiveAvgPool3d AvgPool3d"},
    {"torch.nn.modules.rnn", Known::Open, "RNNBase RNN LSTM GRU RNNCellBase RNNCell LSTMCell GRUCell"},
    {"torch.nn.modules.sparse", Known::Open, "Embedding EmbeddingBag"},
    {"torch.nn.modules.transformer", Known::Open,
     "Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer"},
    {"torch.nn.modules.upsampling", Known::Open, "Upsample UpsamplingNearest2d UpsamplingBilinear2d"},
    {"torch.nn.utils.parametrizations", Known::Open, "_Orthogonal _WeightNorm _SpectralNorm"},
    {"torch.nn.utils.parametrize", Known::Open, "ParametrizationList"},
    {"torch.nn.utils.prune", Known::Open,
     "BasePruningMethod Identity RandomUnstructured L1Unstructured RandomStructured LnStructured CustomFromMask"},
    {"torch.nn.utils.spectral_norm", Known::Open,
     "SpectralNorm SpectralNormLoadStateDictPreHook SpectralNormStateDictHook"},
    {"torch.nn.utils.weight_norm", Known::Open, "WeightNorm"},
    {"torch.optim.lr_scheduler", Known::Open,
     "LRScheduler _LRScheduler LambdaLR MultiplicativeLR StepLR MultiStepLR ConstantLR LinearLR ExponentialLR"
     " SequentialLR PolynomialLR CosineAnnealingLR ChainedScheduler ReduceLROnPlateau CyclicLR"
     " CosineAnnealingWarmRestarts _SchedulePhase OneCycleLR"},
    {"torch.optim.optimizer", Known::Open, "_RequiredParameter"},
    {"torch.optim.swa_utils", Known::Open, "AveragedModel SWALR"},
    {"torch.utils.data.sampler", Known::Open,
     "Sampler SequentialSampler RandomSampler SubsetRandomSampler WeightedRandomSampler BatchSampler"},
    {"torch.distributed._tensor", Known::Type, "DTensor"},
    {"torch.distributed._tensor.api", Known::Type, "DTensor"},
    {"torch.distributed.tensor", Known::Type, "DTensor"},
    // Other packages
    {"torchvision.transforms.functional", Known::Enum, "InterpolationMode"},
    {"ml_dtypes", Known::Maker,
     "bfloat16 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz"
     " float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn int1 int2 int4 uint1 uint2 uint4"},
    {"jax._src.array", Known::Maker, "_reconstruct_array"},
    {"scipy.sparse", Known::Bag, "csr_matrix csc_matrix coo_matrix"},
    {"scipy.sparse._csr", Known::Bag, "csr_matrix csr_array"},
    {"scipy.sparse._csc", Known::Bag, "csc_matrix csc_array"},
    {"scipy.sparse._coo", Known::Bag, "coo_matrix coo_array"},
    {"megatron.core.dist_checkpointing.strategies.torch", Known::Data, "MCoreMetadata MCoreSavePlan"},
    {"joblib.numpy_pickle", Known::Reader, "NumpyArrayWrapper"},  // its loader uses the attributes; the array: pickle_joblib.cpp
    {"fsspec.spec", Known::Maker, "make_instance"},
    {"frozendict", Known::Mapping, "frozendict"},
    {"dateutil.tz.tz", Known::Maker, "tzutc tzlocal tzoffset"},
    {"pandas._libs.internals", Known::Maker, "_unpickle_block"},
    {"pandas.core.internals.blocks", Known::Maker, "new_block"},
    {"pandas.core.indexes.base", Known::Maker, "_new_Index"},
    {"pandas.core.indexes.datetimes", Known::Maker, "_new_DatetimeIndex"},
    {"pandas.core.indexes.period", Known::Maker, "_new_PeriodIndex"},
    {"pandas.core.indexes.interval", Known::Maker, "_new_IntervalIndex"},
    {"pandas.core.indexes.timedeltas", Known::Maker, "_new_TimedeltaIndex"},
    {"pandas._libs.tslibs.timestamps", Known::Maker, "_unpickle_timestamp"},
    {"pandas._libs.tslibs.timedeltas", Known::Maker, "_timedelta_unpickle"},
    {"pandas._libs.tslibs.nattype", Known::Maker, "_nat_unpickle __nat_unpickle"},
    {"sklearn.metrics._dist_metrics", Known::Maker, "newObj"},
    {"sklearn.neighbors._dist_metrics", Known::Maker, "newObj"},
    {"sklearn.neighbors._kd_tree", Known::Maker, "newObj"},
    {"sklearn.neighbors._ball_tree", Known::Maker, "newObj"},
});

/// Arguments that are not only stored in, or read for, the result.
struct RoleRow {
    std::string_view module;
    std::string_view names;
    std::array<Role, kRoles> roles;
};
inline constexpr auto kRoleRows = std::to_array<RoleRow>({
    {"builtins", "str bytes bytearray", {Role::Read, Role::Codec}},
    {"copyreg", "_reconstructor", {Role::Subtype, Role::Subtype}},
    {"copyreg", "__newobj__ __newobj_ex__", {Role::Subtype}},
    {"_codecs", "encode", {Role::Read, Role::Codec}},
    {"builtins", "iter", {Role::Called}},
    {"collections", "defaultdict", {Role::Called}},
    {"functools", "reduce", {Role::Applied}},
    {"_functools", "reduce", {Role::Applied}},
    {"functools", "partial", {Role::Kept, Role::Stored, Role::Stored, Role::Stored, Role::Stored, Role::Stored}},
    {"_functools", "partial", {Role::Kept, Role::Stored, Role::Stored, Role::Stored, Role::Stored, Role::Stored}},
    {"numpy.core.multiarray", "_reconstruct", {Role::Subtype}},
    {"numpy._core.multiarray", "_reconstruct", {Role::Subtype}},
    {"numpy.ma.core", "_mareconstruct", {Role::New, Role::Subtype}},
    {"numpy.ma.mrecords", "_mrreconstruct", {Role::New, Role::Subtype}},
    {"numpy.random._pickle", "__randomstate_ctor __generator_ctor", {Role::Called, Role::Applied}},
    {"numpy.random._pickle", "__bit_generator_ctor", {Role::Called}},
    {"numpy.random.bit_generator", "__pyx_unpickle_SeedSequence", {Role::Subtype}},
    {"torch._tensor", "_rebuild_from_type _rebuild_from_type_v2", {Role::Applied, Role::Subtype, Role::Arguments, Role::Stored}},
    {"torch.tensor", "_rebuild_from_type _rebuild_from_type_v2", {Role::Applied, Role::Subtype, Role::Arguments, Role::Stored}},
    {"torch._utils", "_rebuild_wrapper_subclass", {Role::Subtype}},
    {"torch._utils", "_rebuild_parameter_with_state", {Role::Read, Role::Read, Role::Read, Role::Stored}},
    {"torch.storage", "_load_from_bytes", {Role::Loaded}},
    {"jax._src.array", "_reconstruct_array", {Role::Applied, Role::Arguments}},
    {"fsspec.spec", "make_instance", {Role::Applied, Role::Arguments}},
    {"pandas.core.indexes.base", "_new_Index", {Role::New}},
    {"pandas.core.indexes.datetimes", "_new_DatetimeIndex", {Role::New}},
    {"pandas.core.indexes.period", "_new_PeriodIndex", {Role::New}},
    {"pandas.core.indexes.interval", "_new_IntervalIndex", {Role::New}},
    {"pandas.core.indexes.timedeltas", "_new_TimedeltaIndex", {Role::New}},
    {"sklearn.metrics._dist_metrics", "newObj", {Role::New}},
    {"sklearn.neighbors._dist_metrics", "newObj", {Role::New}},
    {"sklearn.neighbors._kd_tree", "newObj", {Role::New}},
    {"sklearn.neighbors._ball_tree", "newObj", {Role::New}},
});

/// Functions of torch that only compute with tensors; the module's other names are not read.
inline constexpr std::string_view kTensorFunctions =
    "abs acos add addmm argmax argmin asin atan atan2 bmm cat ceil celu celu_ clamp conv1d conv2d conv3d cos cosh cosine_similarity"
    " cumsum diag div dot einsum erf erfc exp exp2 expm1 flatten floor hardshrink layer_norm lerp log log10 log1p log2 logsumexp"
    " log_softmax matmul max maximum mean min minimum mm mul multiply neg norm ones_like outer pow prelu prod reciprocal relu relu_"
    " reshape round rrelu rrelu_ rsqrt selu selu_ sigmoid sigmoid_ sign sin sinh softmax sqrt square squeeze stack std sub sum tan"
    " tanh tanh_ threshold threshold_ transpose true_divide trunc unsqueeze var where zeros_like";

/// Classes of torch's public packages, 2.13, with a method that unpickling calls and that was not read:
/// __new__, __setstate__, __getattr__, __setattr__ or __del__.
inline constexpr std::string_view kUnreadClasses =
    "ActivationWrapper AllToAllOptions AllreduceCoalescedOptions AllreduceOptions AsyncCollectiveTensor Attribute Backend"
    " BackwardHookFunction BarrierOptions BaseDataSparsifier BaseSparsifier BaseStructuredSparsifier BatcherIterDataPipe"
    " BatcherMapDataPipe BisectValidationException Broadcast BroadcastOptions Capture CaptureA CaptureAdd CaptureCall"
    " CaptureDataFrame CaptureDataFrameWithDataPipeOps CaptureF CaptureGetAttr CaptureGetItem CaptureInitial CaptureMul"
    " CaptureSetItem CaptureSub CaptureVariable CaptureVariableAssign CausalBias CheckpointWrapper CollatorIterDataPipe"
    " ConcatDataFramesPipe ConcaterIterDataPipe ConcaterMapDataPipe ConvPerSampleGrad DDP DFIterDataPipe"
    " DataFrameTracedOps DataFrameTracer DataFramesAsTuplesPipe DataNormSparsifier DebugLevel DemultiplexerIterDataPipe"
    " Dispatcher DistributedDataParallelCPU DynamicInt EmbeddingPerSampleGrad EqualizationQConfig EtcdRendezvous"
    " EtcdRendezvousHandler EtcdStore ExampleAggregateAsDataFrames ExpandedWeight FPGMPruner FSDPModule"
    " FakeQuantPerChannel FileListerIterDataPipe FileOpenerIterDataPipe FilterDataFramesPipe FilterIterDataPipe"
    " FlatParameter FlightRecorderLogger FoldedGraphModule ForkerIterDataPipe FullyShardedDataParallel FusedGraphModule"
    " Gather GatherOptions GenericMeta GraphModule GraphPickler GroupNormPerSampleGrad GrouperIterDataPipe"
    " InstanceNormPerSampleGrad IterDataPipe IterableWrapperIterDataPipe LSTMSaliencyPruner LayerNormPerSampleGrad"
    " LinearPerSampleGrad LocalIntNode LocalLRUCache LocalShardsWrapper LocalTensor MapDataPipe MapperIterDataPipe"
    " MapperMapDataPipe MetaAttribute MetaDeviceAttribute MetaProxy MethodDispatcher MultiplexerIterDataPipe"
    " NcclCommRegistration NearlyDiagonalSparsifier NestedRedistribute Node ObservedGraphModule"
    " ObservedStandaloneGraphModule OffloadWrapper P2POp ParameterProxy PassResult PerRowDataFramesPipe"
    " PostLocalSGDOptimizer PowerSGDState PrefixStore ProcessGroup ProcessGroupGloo Proxy ProxyableClassMeta"
    " QuantizedGraphModule RRef RRefProxy Redistribute ReduceAddCoalesced ReduceOptions ReduceScatterOptions"
    " RegisterPostBackwardFunction RegisterPreBackwardFunction RemoteModule ReplicateModule RoutedDecoderIterDataPipe"
    " SaliencyPruner SamplerIterDataPipe Scatter ScatterOptions SequenceWrapperMapDataPipe ShapeGuardPrinter"
    " ShardedOptimizer ShardedTensorBase ShardingFilterIterDataPipe ShuffleDataFramesPipe ShufflerIterDataPipe"
    " SparseSemiStructuredTensor SparseSemiStructuredTensorCUSPARSELT SparseSemiStructuredTensorCUTLASS Store"
    " StreamReaderIterDataPipe StreamWrapper TensorPipeRpcBackendOptions UnBatcherIterDataPipe ValidationException Var"
    " VariadicSignatureMeta VariadicSignatureType ViewBufferFromNested ViewNestedFromBuffer WeightNormSparsifier Work"
    " ZeroRedundancyOptimizer ZipperIterDataPipe ZipperMapDataPipe _AllGather _AllGatherBase _AllReduce _AlltoAll"
    " _AlltoAllSingle _AsyncCheckpointProcess _Broadcast _BufferMeta _ChildDataPipe _DDPSink _DataPipeMeta"
    " _DataPipeSerializationWrapper _DemultiplexerIterDataPipe _DependentProperty _Dirichlet _DisableUpdateTensorTracker"
    " _DynamicScalar _FSDPDeviceHandle _FakeGlobalNamespace _FlatParameterMeta _ForkerIterDataPipe _FromTorchTensor"
    " _Gather _GraphUnpickler _IllegalWork _IterDataPipeMeta _IterDataPipeSerializationWrapper _LazyGraphModule"
    " _LocalContiguous _LocalDeviceHandle _MapDataPipeSerializationWrapper _MeshEnv _MultiProcessingDataLoaderIter"
    " _NamedOptimizer _ParameterMeta _ReaderView _Reduce _Reduce_Scatter _RemoteModule _Scatter _ShardingIterDataPipe"
    " _StatefulGraphModule _StatefulGraphModuleFactory _ToTorchTensor _UninitializedDeviceHandle _WorldMeta"
    " _lazy_property_and_property _reduce_op autocast";
// clang-format on

} // namespace cairn::pickle::known
