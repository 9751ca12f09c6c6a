// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"

#include <QString>
#include <QStringList>

/// Descriptions of tensors, the same on every page. All results are plain text, safe to
/// show.
namespace cairn::ui::words {

QString dtype(Dtype dtype);    ///< torch's name
QString tensorRole(Role role); ///< translated

/// "4, rows 16 each"; "3, of different sizes"; "1"; "none".
QString pieces(const TensorEntry& tensor);

/// Paths of the tensor's files, in order of first piece, at most `limit`, then "and 12 more".
/// Missing ones are marked.
QStringList fileList(const Checkpoint& checkpoint, const TensorEntry& tensor, int limit = 16);

/// "rows 0-15", "columns 32-63", "rows 0-15, columns 32-63", "dim 2: 0-7", "entire tensor".
QString box(const Box& box, const Shape& shape);

/// A short name of a shard: its rank ("3" for "__3_0.distcp"), its number ("2" for
/// "model-00002-of-00005"), else its position in the list of files.
QString shardNumber(std::string_view path, std::size_t position);

/// The dotted name exactly as stored.
QString exactName(const TensorEntry& tensor);

} // namespace cairn::ui::words
