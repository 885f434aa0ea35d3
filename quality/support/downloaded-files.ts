import { vi } from 'vitest'

/**
 * Records the files that a page offers as downloads until the end of the test, and returns the growing list of their names. happy-dom would
 * follow the link instead, and all later tests in the same window would hang.
 */
export function captureDownloads(): string[] {
  const kept: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    kept.push(this.download)
  })
  return kept
}
