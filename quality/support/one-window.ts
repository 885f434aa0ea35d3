import { builtinEnvironments, type Environment } from 'vitest/runtime'

const sharedGlobal = globalThis as { hasWindow?: true }

/** One window for all test files of a process, because the modules that they share hold on to it. `tidy.ts` cleans it between tests. */
export default {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!sharedGlobal.hasWindow) await builtinEnvironments['happy-dom'].setup(global, options)
    sharedGlobal.hasWindow = true
    return { teardown() {} }
  },
} satisfies Environment
