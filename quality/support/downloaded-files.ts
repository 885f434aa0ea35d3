import { vi } from 'vitest'

/**
 * Returns the names of the files that a page lets its browser save, from now to the end of the test. The browser of these tests would
 * follow the link instead, and every later test in the same window would hang.
 */
export function captureDownloads(): string[] {
  const kept: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    kept.push(this.download)
  })
  return kept
}
