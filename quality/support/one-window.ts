import { builtinEnvironments, type Environment } from 'vitest/runtime'

const shared = globalThis as { hasWindow?: true }

/** One window for all files of a process: what they import together has it in hand. `tidy.ts` clears it between tests. */
export default {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!shared.hasWindow) await builtinEnvironments['happy-dom'].setup(global, options)
    shared.hasWindow = true
    return { teardown() {} }
  },
} satisfies Environment
