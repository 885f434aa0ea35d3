import { vi } from 'vitest'

/**
 * The names of the files that a page has its browser keep, from now to the end of the test. The browser of these tests would follow
 * the link instead, and all that is tested after it in the same window would hang.
 */
export function keepFiles(): string[] {
  const kept: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    kept.push(this.download)
  })
  return kept
}
