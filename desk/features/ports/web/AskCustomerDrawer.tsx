import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { portReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { askCustomerBodySchema, askCustomerForCorrection, type DeskPort, type PortContact } from '../ports.contract.ts'
import * as s from './port.module.css'

type Props = { port: DeskPort; onClose: () => void; onDone: (text: string) => void }

export function AskCustomerDrawer({ open, ...props }: Props & { open: boolean }) {
  const { contact } = props.port
  return (
    <Drawer title="Ask the customer by text" open={open} onClose={props.onClose}>
      {open && contact && <AskCustomerForm {...props} contact={contact} />}
    </Drawer>
  )
}

function AskCustomerForm({
  port: { reference, customer },
  contact,
  onClose,
  onDone,
}: Props & { contact: PortContact }) {
  const api = useApi()
  const form = useForm<{ reason: string; note: string }, string>({
    schema: askCustomerBodySchema,
    initial: emptyReasonValues,
    submit: async (body) =>
      (await withFormErrors(api.call(askCustomerForCorrection, { params: { reference }, body }))).data.said,
    onSuccess: onDone,
  })
  return (
    <form {...form.props}>
      <blockquote className={s.text} aria-label="Text message">
        {contact.text}
      </blockquote>
      <ConsequenceList
        items={[
          `We’ll text this to ${customer.name} on ${contact.number}, during the day`,
          contact.by_mail
            ? 'An email to the address on file says the same, with a link to correct the details'
            : 'We won’t send an email, because the owner of the address said the account isn’t theirs',
          'Nothing is sent if the number is requested again before then',
        ]}
      />
      <ReasonFields form={form} names={portReasonNames} />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText="Sending">
          Ask the customer by text
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}
