import type { FieldErrors } from '#kit/contract/errors.ts'

const fieldOf = (element: Element): string =>
  (element as HTMLElement).dataset.field ?? element.getAttribute('name') ?? ''

export function isOnForm(form: HTMLFormElement | null, name: string): boolean {
  return (
    name === '__all__' ||
    !form ||
    [...form.querySelectorAll('[name],[data-field]')].some((element) => fieldOf(element) === name)
  )
}

export function typedInto<V extends object>(form: HTMLFormElement, values: V): Partial<V> {
  const typed: Record<string, unknown> = {}
  for (const element of form.elements) {
    const name = fieldOf(element)
    if (!(name in values)) continue
    const value = valueOf(element as HTMLInputElement)
    if (value !== undefined && String(value) !== String((values as Record<string, unknown>)[name] ?? ''))
      typed[name] = value
  }
  return typed as Partial<V>
}

function valueOf(element: HTMLInputElement): string | boolean | undefined {
  if (element.type === 'checkbox') return element.checked
  if (element.type !== 'radio') return element.value
  if (!element.checked) return undefined
  return 'boolean' in element.dataset ? element.value === 'true' : element.value
}

export function focusFirstBad(form: HTMLFormElement, errors: FieldErrors): void {
  const fields = [...form.elements] as HTMLInputElement[]
  const bad = fields.find((element) => errors[fieldOf(element)])
  const chosen = bad && fields.find((element) => fieldOf(element) === fieldOf(bad) && element.checked)
  const told = form.querySelector<HTMLElement>('[data-form-errors]')
  const pressed = document.activeElement === document.body ? form.querySelector<HTMLElement>('[type="submit"]') : null
  const target = chosen ?? bad ?? told ?? pressed
  target?.focus()
}
