import { ApiError, errorsOf } from '#kit/contract/errors.ts'
import { clearDraft } from './drafts.ts'
import { failed, issuesOf, picked, submitted, succeeded } from './form-state.ts'
import type { FormStore } from './use-form-state.ts'
import type { FormOptions } from './form.ts'

/** Checks everything and, if all is well, sends it; done when the form shows what came of that. */
export async function submitForm<V extends object, Answer>(
  { now, apply, place }: FormStore<V>,
  { schema, initial, submit, onSuccess, successMessage, draftKey, onceOnly = [] }: FormOptions<V, Answer>,
): Promise<void> {
  const { values } = now()
  const { status } = apply((last) => submitted(last, place(issuesOf(schema, values))))
  if (status !== 'submitting') return
  try {
    const answer = await submit(values)
    if (draftKey) clearDraft(draftKey)
    await onSuccess?.(answer)
    apply((last) => succeeded(last, successMessage ?? null, picked(initial, onceOnly)))
  } catch (failure) {
    // The visitor reads the same sentence; error reports shall have ours.
    if (!(failure instanceof ApiError)) reportError(failure)
    apply((last) => failed(last, place(errorsOf(failure)), values))
  }
}
