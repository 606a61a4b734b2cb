#pragma once

#include "Modules/ModuleInterface.h"

/** The module, for the test. */
#define IMPLEMENT_MODULE(Class, Name) IModuleInterface* Make##Name() { return new Class; }
