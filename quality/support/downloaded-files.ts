import { vi } from 'vitest'

/**
 * Until the end of the test, records which files a page offers as downloads, and returns the growing list of their names. Otherwise
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
