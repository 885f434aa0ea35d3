import type { Form } from '#kit/web/form/form.ts'
import { NoteField } from '#kit/web/desk/NoteField.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { reasonNames } from '../reasons.contract.ts'

export const emptyReasonValues = { reason: '', note: '' }

type Props = {
  form: Form<{ reason: string; note: string }>
  names?: Readonly<Record<string, string>>
}

export function ReasonFields({ form, names = reasonNames }: Props) {
  const options = Object.entries(names).map(([value, label]) => ({ value, label }))
  const isOtherReason = form.values.reason === 'other'
  return (
    <>
      <SelectField form={form} name="reason" label="Reason" placeholder="Choose one" options={options} />
      <NoteField
        form={form}
        name="note"
        label="Note for colleagues"
        maxLength={500}
        optional={!isOtherReason}
        hint={isOtherReason ? 'At least ten letters.' : 'No card numbers and no passwords.'}
      />
    </>
  )
}
