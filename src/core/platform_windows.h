// What the core needs of Windows' headers, whose macros rename what other files of a unit declare.
#pragma once

#ifdef _WIN32

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// After the header that it needs.
#include <bcrypt.h>

#undef far
#undef near

#endif
