import type { FieldErrors } from '#kit/contract/errors.ts'

const getFieldName = (element: Element): string =>
  (element as HTMLElement).dataset.field ?? element.getAttribute('name') ?? ''

export function isOnForm(form: HTMLFormElement | null, name: string): boolean {
  return (
    name === '__all__' ||
    !form ||
    [...form.querySelectorAll('[name],[data-field]')].some((element) => getFieldName(element) === name)
  )
}

export function readTypedValues<V extends object>(form: HTMLFormElement, values: V): Partial<V> {
  const typed: Record<string, unknown> = {}
  for (const element of form.elements) {
    const name = getFieldName(element)
    if (!(name in values)) continue
    const value = readValue(element as HTMLInputElement)
    if (value !== undefined && String(value) !== String((values as Record<string, unknown>)[name] ?? ''))
      typed[name] = value
  }
  return typed as Partial<V>
}

function readValue(element: HTMLInputElement): string | boolean | undefined {
  if (element.type === 'checkbox') return element.checked
  if (element.type !== 'radio') return element.value
  if (!element.checked) return undefined
  return 'boolean' in element.dataset ? element.value === 'true' : element.value
}

export function focusFirstError(form: HTMLFormElement, errors: FieldErrors): void {
  const fields = [...form.elements] as HTMLInputElement[]
  const firstInvalid = fields.find((element) => errors[getFieldName(element)])
  const chosenOption =
    firstInvalid && fields.find((element) => getFieldName(element) === getFieldName(firstInvalid) && element.checked)
  const formErrors = form.querySelector<HTMLElement>('[data-form-errors]')
  const submitButton =
    document.activeElement === document.body ? form.querySelector<HTMLElement>('[type="submit"]') : null
  const target = chosenOption ?? firstInvalid ?? formErrors ?? submitButton
  target?.focus()
}
