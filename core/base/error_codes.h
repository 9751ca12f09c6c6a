// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The one table of error codes: X(EnumValue, "name-in-json", ExitClass). The name is part of the
/// command line contract (`error.code`, `notices[].code`); ui/text translates it for users.
/// ExitClass picks the exit code of cairn-cli: Failed 1, Usage 2, Input 3, Output 4, Refused 5,
/// Interrupted 130.
#define CAIRN_ERROR_CODES(X)                                                                       \
    /* general */                                                                                  \
    X(InvalidArgument, "invalid-argument", Usage)                                                  \
    X(Cancelled, "cancelled", Interrupted)                                                         \
    X(Internal, "internal", Failed)                                                                \
    X(Unsupported, "unsupported", Input)                                                           \
    X(LimitExceeded, "limit-exceeded", Input)                                                      \
    X(OutOfMemory, "out-of-memory", Input)                                                         \
    /* files */                                                                                    \
    X(NotFound, "not-found", Input)                                                                \
    X(PermissionDenied, "permission-denied", Input)                                                \
    X(NotRegularFile, "not-a-regular-file", Input)                                                 \
    X(OutsideFolder, "outside-folder", Refused)                                                    \
    X(Io, "io-error", Input)                                                                       \
    X(ChangedOnDisk, "changed-on-disk", Input)                                                     \
    X(Truncated, "truncated", Input)                                                               \
    X(EmptyFile, "empty-file", Input)                                                              \
    X(ZeroFilled, "zero-filled", Input)                                                            \
    X(LfsPointer, "lfs-pointer", Input)                                                            \
    X(HtmlPage, "html-page", Input)                                                                \
    X(NotACheckpoint, "not-a-checkpoint", Input)                                                   \
    X(BadChecksum, "bad-checksum", Input)                                                          \
    X(BadEncoding, "bad-encoding", Input)                                                          \
    /* zip */                                                                                      \
    X(ZipNoDirectory, "zip-no-directory", Input)                                                   \
    X(ZipBadDirectory, "zip-bad-directory", Input)                                                 \
    X(ZipBadEntry, "zip-bad-entry", Input)                                                         \
    X(ZipDuplicateName, "zip-duplicate-name", Input)                                               \
    X(ZipOverlap, "zip-overlap", Input)                                                            \
    X(ZipEncrypted, "zip-encrypted", Input)                                                        \
    X(ZipMultiDisk, "zip-multi-disk", Input)                                                       \
    X(ZipLocalMismatch, "zip-local-mismatch", Input)                                               \
    X(ZipBomb, "zip-bomb", Input)                                                                  \
    X(ZipBadMethod, "zip-bad-method", Input)                                                       \
    X(ZipBadData, "zip-bad-data", Input)                                                           \
    /* pickle */                                                                                   \
    X(PickleTruncated, "pickle-truncated", Input)                                                  \
    X(PickleBadOpcode, "pickle-bad-opcode", Input)                                                 \
    X(PickleStackUnderflow, "pickle-stack-underflow", Input)                                       \
    X(PickleNoMark, "pickle-no-mark", Input)                                                       \
    X(PickleBadMemo, "pickle-bad-memo", Input)                                                     \
    X(PickleBadOperand, "pickle-bad-operand", Input)                                               \
    X(PickleBadText, "pickle-bad-text", Input)                                                     \
    X(PickleBadFrame, "pickle-bad-frame", Input)                                                   \
    X(PickleUnhashableKey, "pickle-unhashable-key", Input)                                         \
    X(PickleBadProtocol, "pickle-bad-protocol", Input)                                             \
    /* torch files */                                                                              \
    X(TorchNoDataPickle, "torch-no-data-pickle", Input)                                            \
    X(TorchMissingRecord, "torch-missing-record", Input)                                           \
    X(TorchBadPersistentId, "torch-bad-persistent-id", Input)                                      \
    X(TorchStorageTooSmall, "torch-storage-too-small", Input)                                      \
    X(TorchBadTensor, "torch-bad-tensor", Input)                                                   \
    X(TorchUnknownDtype, "torch-unknown-dtype", Input)                                             \
    X(TorchBadHeader, "torch-bad-header", Input)                                                   \
    X(TorchBadByteOrder, "torch-bad-byte-order", Input)                                            \
    /* json */                                                                                     \
    X(JsonSyntax, "json-syntax", Input)                                                            \
    X(JsonTooDeep, "json-too-deep", Input)                                                         \
    X(JsonDuplicateKey, "json-duplicate-key", Input)                                               \
    X(JsonWrongType, "json-wrong-type", Input)                                                     \
    /* safetensors */                                                                              \
    X(SafetensorsHeaderTooLarge, "safetensors-header-too-large", Input)                            \
    X(SafetensorsBadHeader, "safetensors-bad-header", Input)                                       \
    X(SafetensorsBadOffsets, "safetensors-bad-offsets", Input)                                     \
    X(SafetensorsOverlap, "safetensors-overlap", Input)                                            \
    X(SafetensorsHole, "safetensors-hole", Input)                                                  \
    X(SafetensorsTrailingBytes, "safetensors-trailing-bytes", Input)                               \
    X(SafetensorsSizeMismatch, "safetensors-size-mismatch", Input)                                 \
    X(SafetensorsUnknownDtype, "safetensors-unknown-dtype", Input)                                 \
    X(SafetensorsBadMetadata, "safetensors-bad-metadata", Input)                                   \
    X(SafetensorsBadShape, "safetensors-bad-shape", Input)                                         \
    /* numpy, and shard sets made by hand */                                                       \
    X(NpyBadHeader, "npy-bad-header", Input)                                                       \
    X(NpyUnknownDtype, "npy-unknown-dtype", Input)                                                 \
    X(NpyObjects, "npy-python-objects", Input)                                                     \
    X(NpyTrailingBytes, "npy-trailing-bytes", Input)                                               \
    X(ShardsNotJoined, "shards-not-joined", Input)                                                 \
    X(ShardsUneven, "shards-uneven", Input)                                                        \
    /* gguf */                                                                                     \
    X(GgufBadHeader, "gguf-bad-header", Input)                                                     \
    X(GgufBadMetadata, "gguf-bad-metadata", Input)                                                 \
    X(GgufBadTensor, "gguf-bad-tensor", Input)                                                     \
    X(GgufUnknownType, "gguf-unknown-type", Input)                                                 \
    /* torch distributed checkpoint */                                                             \
    X(DcpNoMetadata, "dcp-no-metadata", Input)                                                     \
    X(DcpBadMetadata, "dcp-bad-metadata", Input)                                                   \
    X(DcpBadChunk, "dcp-bad-chunk", Input)                                                         \
    X(DcpItemBeyondFile, "dcp-item-beyond-file", Input)                                            \
    X(DcpItemMismatch, "dcp-item-mismatch", Input)                                                 \
    X(DcpUnknownTransform, "dcp-unknown-transform", Input)                                         \
    /* JAX: OCDBT stores, Zarr arrays, MessagePack trees */                                        \
    X(OcdbtBadManifest, "ocdbt-bad-manifest", Input)                                               \
    X(OcdbtBadNode, "ocdbt-bad-node", Input)                                                       \
    X(ZarrBadMetadata, "zarr-bad-metadata", Input)                                                 \
    X(ZarrBadChunk, "zarr-bad-chunk", Input)                                                       \
    X(OrbaxBadMetadata, "orbax-bad-metadata", Input)                                               \
    X(MsgpackBadData, "msgpack-bad-data", Input)                                                   \
    X(FlaxBadArray, "flax-bad-array", Input)                                                       \
    /* sets of files */                                                                            \
    X(MissingShard, "missing-shard", Input)                                                        \
    X(StrayFile, "stray-file", Input)                                                              \
    X(StaleShard, "stale-shard", Input)                                                            \
    X(BadIndex, "bad-index", Input)                                                                \
    X(BeingWritten, "being-written", Input)                                                        \
    X(MissingIndex, "missing-index", Input)                                                        \
    X(NewerThanIndex, "newer-than-index", Input)                                                   \
    X(DanglingPointer, "dangling-pointer", Input)                                                  \
    X(MixedSteps, "mixed-steps", Refused)                                                          \
    X(SecondSave, "second-save", Input)                                                            \
    X(ConflictingSaves, "conflicting-saves", Refused)                                              \
    X(CoverageHole, "coverage-hole", Input)                                                        \
    X(CoverageOverlap, "coverage-overlap", Input)                                                  \
    X(NotStored, "not-stored", Input)                                                              \
    X(RoleByName, "role-by-name", Input)                                                           \
    X(DuplicateTensor, "duplicate-tensor", Input)                                                  \
    X(TensorNotFound, "tensor-not-found", Usage)                                                   \
    X(BadSlice, "bad-slice", Usage)                                                                \
    X(NonFinite, "non-finite", Failed)                                                             \
    X(WouldRunCode, "would-run-code", Refused)                                                     \
    X(AmbiguousArchive, "ambiguous-archive", Refused)                                              \
    /* histories */                                                                                \
    X(HistoryBadRow, "history-bad-row", Input)                                                     \
    X(HistoryColumns, "history-columns", Input)                                                    \
    X(HistoryNoStep, "history-no-step", Input)                                                     \
    X(HistoryFilled, "history-filled", Input)                                                      \
    X(HistoryConflict, "history-conflict", Input)                                                  \
    X(HistoryShared, "history-shared", Input)                                                      \
    X(HistorySkipped, "history-skipped", Input)                                                    \
    /* output */                                                                                   \
    X(OutputExists, "output-exists", Output)                                                       \
    /* HDF5, Keras */                                                                              \
    X(Hdf5Unreadable, "hdf5-unreadable", Input)                                                    \
    X(Hdf5LinkNotFollowed, "hdf5-link-not-followed", Input)                                        \
    X(JobIsRunning, "job-is-running", Refused)                                                     \
    X(OutputIsInput, "output-is-input", Refused)                                                   \
    X(NotInPlace, "not-in-place", Refused)                                                         \
    X(EditInterrupted, "edit-interrupted", Input)                                                  \
    X(NoSpace, "no-space", Output)                                                                 \
    X(QuotaExceeded, "quota-exceeded", Output)                                                     \
    X(ReadOnlyFileSystem, "read-only-file-system", Output)                                         \
    X(WriteFailed, "write-failed", Output)                                                         \
    X(SyncFailed, "sync-failed", Output)                                                           \
    X(DtypeNotRepresentable, "dtype-not-representable", Output)                                    \
    X(NameNotRepresentable, "name-not-representable", Output)                                      \
    X(VerifyMismatch, "verify-mismatch", Failed)                                                   \
    /* signatures */                                                                               \
    X(UnsuitableKey, "unsuitable-key", Usage)                                                      \
    X(BadSignature, "bad-signature", Input)                                                        \
    X(SignatureMismatch, "signature-mismatch", Failed)                                             \
    X(CertificateRefused, "certificate-refused", Failed)                                           \
    /* optimizer state */                                                                          \
    X(NegativeMoment, "negative-moment", Failed)                                                   \
    X(NarrowMoment, "narrow-moment", Failed)                                                       \
    X(UnequalSteps, "unequal-steps", Failed)                                                       \
    X(MissingState, "missing-optimizer-state", Failed)                                             \
    X(StateWithoutParameter, "state-without-parameter", Failed)
