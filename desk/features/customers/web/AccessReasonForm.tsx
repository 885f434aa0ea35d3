import { useForm } from '#kit/web/form/use-form.ts'
import { TextField } from '#kit/web/form/TextField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import {
  type AccessReason,
  accessReasonLabels,
  accessReasons,
  openCustomerBody,
  openCustomer,
} from '../customers.contract.ts'
import * as s from './WhyForm.module.css'

type Props = { id: string; name: string; onOpened: () => Promise<void> }

export function AccessReasonForm({ id, name, onOpened }: Props) {
  return (
    <>
      <h1>{name}</h1>
      <div className={s.why}>
        <Panel
          title="Why do you need to see this customer?"
          foot="Your reason is logged. We’ll ask again after half an hour."
        >
          <div className={s.ways}>
            {accessReasons
              .filter((reason) => reason !== 'ticket')
              .map((reason) => (
                <ReasonButton key={reason} {...{ id, look: reason, onOpened }} />
              ))}
          </div>
          <TicketForm {...{ id, onOpened }} />
        </Panel>
      </div>
    </>
  )
}

type ReasonButtonProps = Omit<Props, 'name'> & { look: AccessReason }

function ReasonButton({ id, look, onOpened }: ReasonButtonProps) {
  const api = useApi()
  const openMutation = useMutation({
    async mutationFn() {
      await api.call(openCustomer, { params: { id }, body: { reason: look } })
      await onOpened()
    },
  })
  return (
    <>
      <DenseButton
        aria-busy={openMutation.isPending || undefined}
        onClick={() => void (openMutation.isPending || openMutation.mutate())}
      >
        {accessReasonLabels[look]}
      </DenseButton>
      <ErrorBanner error={openMutation.error} />
    </>
  )
}

function TicketForm({ id, onOpened }: Omit<Props, 'name'>) {
  const api = useApi()
  const form = useForm({
    schema: openCustomerBody,
    initial: { reason: 'ticket', ticket: '' },
    submit: (body) => api.call(openCustomer, { params: { id }, body }),
    onSuccess: onOpened,
  })
  return (
    <form {...form.props} className={s.ticket}>
      <FormErrors form={form} />
      <TextField form={form} name="ticket" label="Ticket" placeholder="Ticket number" autoComplete="off" />
      <SubmitButton form={form}>Open</SubmitButton>
    </form>
  )
}
