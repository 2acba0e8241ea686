// The document types of a history. Internal to json/.
#pragma once

#include "json/schema_version.h"

namespace stepgate {

inline constexpr DocumentType history_session_document{
    "stepgate.history_session",
    "a session of a history",
    1,
    0,
    ErrorKind::usage,
    "restore the file from version control, or remove it: the other sessions stay valid"};
/// Sessions with the repetitions of an import came with minor 1. Other sessions keep minor 0.
inline constexpr DocumentType imported_session_document{
    history_session_document.name,       history_session_document.label, 1, 1,
    history_session_document.error_kind, history_session_document.remedy};
/// Sessions that say where their commit stands came with minor 2.
inline constexpr DocumentType ordered_session_document{
    history_session_document.name,       history_session_document.label, 1, 2,
    history_session_document.error_kind, history_session_document.remedy};
inline constexpr DocumentType history_renames_document{
    "stepgate.history_renames",
    "the renames of a history",
    1,
    0,
    ErrorKind::usage,
    "correct the file; its keys: docs/history.md of stepgate's documentation"};
/// The size of what was acknowledged, and its kind, came with minor 1.
inline constexpr DocumentType acknowledgement_document{
    "stepgate.history_acknowledgement",
    "an acknowledged change",
    1,
    1,
    ErrorKind::usage,
    "restore the file from version control, or remove it and acknowledge again: stepgate history ack"};

}  // namespace stepgate
