// Windows headers for the core. Their macros rename declarations of other files in a unit.
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
