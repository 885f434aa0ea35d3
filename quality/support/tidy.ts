import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { noteServerTime } from '#kit/web/server-time.ts'

// Use the same timeout as `expect.poll`, because a busy machine may pause a test for a second or more.
configure({ asyncUtilTimeout: 30_000 })

// Unmount each test's page, because otherwise the next test would find every element twice.
afterEach(cleanup)

// Delete cookies between tests, because all test files of a process share one window.
afterEach(() => {
  if (typeof document === 'undefined') return
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0`
})

// Reset the server time, because files of a process share the time that an earlier file has stored.
beforeEach(() => noteServerTime(new Date().toISOString()))

// Wait for page code that is still loading. If it failed to load after its test file ended, later files would also fail.
afterAll(() => vi.dynamicImportSettled())
