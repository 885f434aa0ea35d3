import { builtinEnvironments, type Environment } from 'vitest/runtime'

const sharedGlobal = globalThis as { hasWindow?: true }

/**
 * A vitest environment in which all of a process's test files use the same window, because modules shared by the files keep references to
 * it. `clean-up-after-tests.ts` cleans the window between tests.
 */
export default {
  name: 'shared-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!sharedGlobal.hasWindow) await builtinEnvironments['happy-dom'].setup(global, options)
    sharedGlobal.hasWindow = true
    return { teardown() {} }
  },
} satisfies Environment
