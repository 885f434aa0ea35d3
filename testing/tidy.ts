import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// As long as `expect.poll` waits: a second can be all that a busy machine needs for something else.
configure({ asyncUtilTimeout: 30_000 })

// Each test mounts its own page; without this the next one would find two of everything.
afterEach(cleanup)

// A page's code that is still on its way when its file ends would fail to load, and stay failed for the files after it.
afterAll(() => vi.dynamicImportSettled())
