export type RowMove = 1 | -1 | 'first' | 'last'

/**
 * Moves the focus to a different row of a table or list. In each row, the element with the attribute `data-row` takes the focus. Without a
 * focused row, the first row is next.
 */
export function moveRowFocus(container: HTMLElement | null, by: RowMove): void {
  const targets = [...(container?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const currentIndex = targets.findIndex((target) => target.closest('tr, li')?.contains(document.activeElement))
  const ends = { first: 0, last: targets.length - 1 }
  const next = typeof by === 'string' ? ends[by] : Math.min(Math.max(currentIndex + by, 0), targets.length - 1)
  targets[next]?.focus()
}
