import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { noteServerTime } from '#kit/web/server-time.ts'

// The same time as `expect.poll`, because a busy machine can need a whole second for something else.
configure({ asyncUtilTimeout: 30_000 })

// Each test mounts its own page. Without this the next one would find everything twice.
afterEach(cleanup)

// Files share a window, and a cookie from one test must not reach the next.
afterEach(() => {
  if (typeof document === 'undefined') return
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0`
})

// Files share a process, and the server time that one file has noted must not affect the next.
beforeEach(() => noteServerTime(new Date().toISOString()))

// Page code that is still loading when its file ends would fail, and stay failed for the files after it.
afterAll(() => vi.dynamicImportSettled())
