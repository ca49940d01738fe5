// Folders, and the file systems that hold them.
//
// Paths are UTF-8. Everything that fails throws ErrorKind::storage; the sentence names the path and
// the system's reason.
#pragma once

#include <string>

namespace dp {

// Makes a folder that its owner alone can use. False if there is something of that name already.
bool make_folder(const std::string& path);

// Throws unless `path` is a folder, and no symbolic link to one, on a file system whose locks keep
// writers of all machines apart and whose flushes reach stable storage. Refused are Windows shares
// (SMB, CIFS), 9P and file systems of programs (FUSE, such as SSHFS), which promise neither; NFS is
// trusted. On Windows every drive of another machine is refused.
void check_ledger_folder(const std::string& path);

}  // namespace dp
