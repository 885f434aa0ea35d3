import { useApi } from '#kit/web/api.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { NoteField } from '#kit/web/desk/NoteField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { retryWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { type Batch, voidBatch, voidBatchBodySchema } from '../batches.contract.ts'
import { pluralize } from './count.labels.ts'

type Props = { batch: Batch; open: boolean; onClose: () => void; onDone: (text: string) => void }

export function VoidDrawer({ batch, open, onClose, onDone }: Props) {
  return (
    <Drawer title={`Void batch ${batch.id}`} open={open} onClose={onClose}>
      {open && <VoidForm batch={batch} onDone={onDone} />}
    </Drawer>
  )
}

function VoidForm({ batch: { id, unused, held }, onDone }: Pick<Props, 'batch' | 'onDone'>) {
  const api = useApi()
  const form = useForm({
    schema: voidBatchBodySchema,
    initial: { reason: '' },
    submit: (body) => withFormErrors(retryWithPasskey(api, () => api.call(voidBatch, { params: { id }, body }))),
    onSuccess: () => onDone('The unused vouchers in this batch have been voided.'),
  })
  return (
    <form {...form.props}>
      <p>
        {pluralize(unused, 'unused voucher', 'unused vouchers')} will never be usable.
        {held > 0 && (
          <span>{` ${pluralize(held, 'order that is using a voucher keeps it', 'orders that are using a voucher keep it')}.`}</span>
        )}{' '}
        <span>This cannot be undone.</span>
      </p>
      <FormErrors form={form} />
      <NoteField form={form} name="reason" label="Reason" maxLength={500} hint="Recorded in the audit log." />
      <SubmitButton form={form} wide pendingText="One moment">
        Void batch
      </SubmitButton>
    </form>
  )
}
