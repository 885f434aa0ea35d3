import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { setServerTime } from '#kit/web/server-time.ts'

// Use the same timeout as `expect.poll`, because a test can stall for a second or more on a busy machine.
configure({ asyncUtilTimeout: 30_000 })

// Unmount each test's page. Otherwise, the next test would find every element twice.
afterEach(cleanup)

// Delete cookies between tests, because all test files in a process share one window.
afterEach(() => {
  if (typeof document === 'undefined') return
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0`
})

// Reset the server time. Files that run in the same process would otherwise see the time stored by an earlier file.
beforeEach(() => setServerTime(new Date().toISOString()))

// Wait for page code that is still loading. If it failed to load after its test file had ended, later files would fail as well.
afterAll(() => vi.dynamicImportSettled())
