import { vi } from 'vitest'

/**
 * Records which files a page offers as downloads until the end of the test, and returns the growing list of their names. Without this,
 * happy-dom would follow the links, and every later test in the same window would hang.
 */
export function captureDownloads(): string[] {
  const kept: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    kept.push(this.download)
  })
  return kept
}
