import { useForm } from '#kit/web/form/use-form.ts'
import { TextField } from '#kit/web/form/TextField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { type Look, lookNames, looks, openBody, openCustomer } from '../customers.contract.ts'
import * as s from './WhyForm.module.css'

type Props = { id: string; name: string; onOpened: () => Promise<void> }

export function WhyForm({ id, name, onOpened }: Props) {
  return (
    <>
      <h1>{name}</h1>
      <div className={s.why}>
        <Panel
          title="Why do you need to see this customer?"
          foot="Your reason is logged. We ask again after half an hour."
        >
          <div className={s.ways}>
            {looks
              .filter((look) => look !== 'ticket')
              .map((look) => (
                <Way key={look} {...{ id, look, onOpened }} />
              ))}
          </div>
          <Ticket {...{ id, onOpened }} />
        </Panel>
      </div>
    </>
  )
}

type WayProps = Omit<Props, 'name'> & { look: Look }

function Way({ id, look, onOpened }: WayProps) {
  const api = useApi()
  const opening = useMutation({
    async mutationFn() {
      await api.call(openCustomer, { params: { id }, body: { reason: look } })
      await onOpened()
    },
  })
  return (
    <>
      <DenseButton
        aria-busy={opening.isPending || undefined}
        onClick={() => void (opening.isPending || opening.mutate())}
      >
        {lookNames[look]}
      </DenseButton>
      <Failure error={opening.error} />
    </>
  )
}

function Ticket({ id, onOpened }: Omit<Props, 'name'>) {
  const api = useApi()
  const form = useForm({
    schema: openBody,
    initial: { reason: 'ticket', ticket: '' },
    submit: (body) => api.call(openCustomer, { params: { id }, body }),
    onSuccess: onOpened,
  })
  return (
    <form {...form.props} className={s.ticket}>
      <FormErrors form={form} />
      <TextField
        form={form}
        name="ticket"
        label="Ticket"
        placeholder="Ticket number"
        autoComplete="off"
        maxLength={40}
      />
      <SubmitButton form={form}>Open</SubmitButton>
    </form>
  )
}
