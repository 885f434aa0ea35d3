import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { getDevTools } from './dev-tools.ts'

/** Replaces a field's text with text from the clipboard. */
export async function pasteText(field: Locator, text: string): Promise<void> {
  await field.page().context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await field.focus()
  await field.page().evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await field.press('ControlOrMeta+a')
  await field.press('ControlOrMeta+v')
}

/**
 * Enters text at the cursor like an input method, such as a phone's keyboard: each of `steps` replaces the previous one as the text being
 * composed. Until the person confirms it, the field must show the text exactly as composed.
 */
export async function composeText(field: Locator, steps: readonly string[]): Promise<void> {
  const devTools = await getDevTools(field.page())
  const [before, after] = await field.evaluate(({ value, selectionStart, selectionEnd }: HTMLInputElement) => [
    value.slice(0, selectionStart ?? value.length),
    value.slice(selectionEnd ?? value.length),
  ])
  for (const text of steps) {
    await devTools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    await expect.poll(() => field.inputValue()).toBe(`${before}${text}${after}`)
  }
}

export async function confirmComposition(field: Locator, text: string): Promise<void> {
  await (await getDevTools(field.page())).send('Input.insertText', { text })
}

/** Fills in a field like a password manager, which sets its value from a script and presses no keys. */
export const autofill = (field: Locator, text: string): Promise<void> =>
  field.evaluate((input: HTMLInputElement, value) => {
    input.focus()
    // React replaces the setter of the element itself, so it would miss a change made through that one.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
    input.dispatchEvent(new Event('change', { bubbles: true }))
    input.blur()
  }, text)
