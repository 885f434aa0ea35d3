import { useEffect } from 'react'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { NoteField } from '#kit/web/desk/NoteField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { noteBody, writeNote } from '../customers.contract.ts'
import { useCustomer } from './use-customer.ts'
import * as s from './customer.module.css'

export function NoteForm({ id, onEnd }: { id: string; onEnd: () => void }) {
  const { refresh, call } = useCustomer(id)
  const form = useForm({
    schema: noteBody,
    initial: { body: '' },
    submit: (body) => call((api) => api.call(writeNote, { params: { id }, body })),
    async onSuccess() {
      await refresh()
      onEnd()
    },
  })
  const field = form.field('body').id
  useEffect(() => document.getElementById(field)?.focus(), [field])
  return (
    <form {...form.props} className={s.write}>
      <FormErrors form={form} />
      <NoteField
        form={form}
        name="body"
        label="Note for colleagues"
        hint="Don’t include card numbers or passwords."
        maxLength={1_000}
        rows={4}
      />
      <div className={s.buttons}>
        <SubmitButton form={form} pendingText="Saving">
          Save
        </SubmitButton>
        <DenseButton kind="word" onClick={onEnd}>
          Cancel
        </DenseButton>
      </div>
    </form>
  )
}
