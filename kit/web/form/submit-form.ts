import { ApiError, toFormErrors } from '#kit/contract/errors.ts'
import { clearDraft } from './drafts.ts'
import { applyFailure, collectIssues, pickFields, applySubmission, applySuccess } from './form-state.ts'
import type { FormStore } from './use-form-state.ts'
import type { FormOptions } from './form.ts'

export async function submitForm<V extends object, Answer>(
  { now, apply, place }: FormStore<V>,
  { schema, initial, submit, onSuccess, successMessage, draftKey, onceOnly = [] }: FormOptions<V, Answer>,
): Promise<void> {
  const { values } = now()
  const { status } = apply((last) => applySubmission(last, place(collectIssues(schema, values))))
  if (status !== 'submitting') return
  try {
    const answer = await submit(values)
    if (draftKey) clearDraft(draftKey)
    await onSuccess?.(answer)
    apply((last) => applySuccess(last, successMessage ?? null, pickFields(initial, onceOnly)))
  } catch (failure) {
    // The visitor sees only a general message, so the error itself goes to error reporting.
    if (!(failure instanceof ApiError)) reportError(failure)
    apply((last) => applyFailure(last, place(toFormErrors(failure)), values))
  }
}
