import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { noteServerTime } from '#kit/web/server-time.ts'

// As long as `expect.poll` waits: a second can be all that a busy machine needs for something else.
configure({ asyncUtilTimeout: 30_000 })

// Each test mounts its own page; without this the next one would find two of everything.
afterEach(cleanup)

// Files share a window: a cookie that one test sets must not reach the next.
afterEach(() => {
  if (typeof document === 'undefined') return
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0`
})

// Files share a process: what one has heard of its server's clock is not the next one's time.
beforeEach(() => noteServerTime(new Date().toISOString()))

// A page's code that is still on its way when its file ends would fail to load, and stay failed for the files after it.
afterAll(() => vi.dynamicImportSettled())
