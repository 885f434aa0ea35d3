import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { portReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { cancelPortBodySchema, cancelPort, type DeskPort } from '../ports.contract.ts'
import * as s from './port.module.css'

export type CancelResult = { outcome: 'cancelled' | 'undecided' | 'refused' | 'over'; said: string }

type Props = { port: DeskPort; onClose: () => void; onDone: (result: CancelResult) => void }

export function CancelDrawer({ open, ...props }: Props & { open: boolean }) {
  return (
    <Drawer title="Cancel this transfer" open={open} onClose={props.onClose}>
      {open && <CancelForm {...props} />}
    </Drawer>
  )
}

function CancelForm({ port: { reference, number, from, customer }, onClose, onDone }: Props) {
  const api = useApi()
  const form = useForm<{ reason: string; note: string }, CancelResult>({
    schema: cancelPortBodySchema,
    initial: emptyReasonValues,
    submit: async (body) => (await withFormErrors(api.call(cancelPort, { params: { reference }, body }))).data,
    onSuccess: onDone,
  })
  return (
    <form {...form.props}>
      <ReasonFields form={form} names={portReasonNames} />
      <section className={s.differences} aria-label="What will happen">
        <h3>What will happen</h3>
        <ul>
          <li>
            {number} stays with {from}
          </li>
          <li>
            {customer.name}’s SIM keeps {customer.number}
          </li>
          <li>The customer is told by email and can request the transfer again</li>
          <li>If the network says it’s too late to cancel, the transfer continues</li>
        </ul>
      </section>
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText="Asking the network">
          Cancel transfer
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}
