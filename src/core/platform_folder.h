// Folders, and the file systems that hold them.
//
// Paths are UTF-8. Everything that fails throws ErrorKind::storage; the sentence names the path and
// the system's reason.
#pragma once

#include <string>

namespace dp {

// Makes a folder that only its owner can use. False if the name exists.
bool make_folder(const std::string& path);

// Throws unless `path` is a folder, not a symbolic link to one, on a file system whose locks
// exclude writers of all machines and whose flushes reach stable storage. Windows shares (SMB,
// CIFS), 9P and FUSE file systems (such as SSHFS) guarantee neither, so they throw. NFS is trusted.
// On Windows every network drive throws.
void check_ledger_folder(const std::string& path);

}  // namespace dp
