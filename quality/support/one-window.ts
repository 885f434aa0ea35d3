import { builtinEnvironments, type Environment } from 'vitest/runtime'

const sharedGlobal = globalThis as { hasWindow?: true }

/**
 * A vitest environment with one window for all test files of a process, because modules that the files share keep references to the window.
 * `tidy.ts` cleans the window between tests.
 */
export default {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!sharedGlobal.hasWindow) await builtinEnvironments['happy-dom'].setup(global, options)
    sharedGlobal.hasWindow = true
    return { teardown() {} }
  },
} satisfies Environment
