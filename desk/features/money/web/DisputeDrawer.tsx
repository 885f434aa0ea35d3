import { ApiError } from '#kit/contract/errors.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { disputeReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import {
  acceptDisputeBody,
  acceptDispute,
  closeDisputeBody,
  closeDispute,
  contestDisputeBody,
  contestDispute,
  type DeskDispute,
} from '../disputes.contract.ts'

export type DisputeAction = 'accept' | 'contest' | 'close'

const titles = {
  accept: 'Accept this dispute',
  contest: 'Contest this dispute',
  close: 'Close this dispute',
} as const

type FormProps = {
  dispute: DeskDispute
  onClose: () => void
  onDone: (text: string) => void
  onStale: () => void
}

export function DisputeDrawer({ act, ...props }: FormProps & { act: DisputeAction | null }) {
  return (
    <Drawer title={act ? titles[act] : ''} open={act !== null} onClose={props.onClose}>
      {act === 'accept' && <AcceptForm {...props} />}
      {act === 'contest' && <ContestDisputeForm {...props} />}
      {act === 'close' && <CloseForm {...props} />}
    </Drawer>
  )
}

/** Shows the server's error message in the form. On a 409 the page also reloads, because someone else acted first. */
const submitOrRefresh = (call: Promise<unknown>, onStale: () => void): Promise<unknown> =>
  withFormErrors(
    call.catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.status === 409) onStale()
      throw failure
    }),
  )

type FormFooterProps<V extends object> = { form: Form<V>; does: string; onClose: () => void }

const FormFooter = <V extends object>({ form, does, onClose }: FormFooterProps<V>) => (
  <>
    <FormErrors form={form} />
    <p>
      <SubmitButton form={form} pendingText="Saving">
        {does}
      </SubmitButton>{' '}
      <DenseButton onClick={onClose}>Not now</DenseButton>
    </p>
  </>
)

function AcceptForm({ dispute: { reference, amount }, onClose, onDone, onStale }: FormProps) {
  const api = useApi()
  const form = useForm({
    schema: acceptDisputeBody,
    initial: emptyReasonValues,
    submit: (body) => submitOrRefresh(api.call(acceptDispute, { params: { reference }, body }), onStale),
    onSuccess: () => onDone('Dispute accepted. The bank keeps the money.'),
  })
  return (
    <form {...form.props}>
      <ReasonFields form={form} names={disputeReasonNames} />
      <ConsequenceList
        items={[
          `The bank keeps ${formatPriceWithCommas(decimalToCents(amount))}, so you can’t refund it as well`,
          'The plan and the number stay as they are. If this was fraud, block the customer on their page',
          'We don’t notify the gateway: accept the dispute on its site too, or let the deadline pass',
        ]}
      />
      <FormFooter form={form} does="Accept dispute" onClose={onClose} />
    </form>
  )
}

function ContestDisputeForm({ dispute: { reference, today }, onClose, onDone, onStale }: FormProps) {
  const api = useApi()
  const form = useForm({
    schema: contestDisputeBody,
    initial: { evidence: '', handed_in: today, ...emptyReasonValues },
    submit: (body) => submitOrRefresh(api.call(contestDispute, { params: { reference }, body }), onStale),
    onSuccess: () => onDone('Dispute contested. It stays on the list until the gateway reports the outcome.'),
  })
  return (
    <form {...form.props}>
      <Banner kind="info">
        Submit the evidence on the gateway’s site first, then record it here. We can’t submit it for you.
      </Banner>
      <TextField
        form={form}
        name="evidence"
        label="Reference on the gateway’s site"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField form={form} name="handed_in" label="Submitted on" type="date" autoComplete="off" />
      <ReasonFields form={form} names={disputeReasonNames} />
      <ConsequenceList
        items={[
          'The money stays disputed until the bank decides',
          'A task reminds the team to check the outcome by the due date',
        ]}
      />
      <FormFooter form={form} does="Evidence submitted" onClose={onClose} />
    </form>
  )
}

const outcomeNames = {
  won: 'We keep the money',
  lost: 'The bank keeps the money',
  nothing: 'No money was ever taken',
} as const

function CloseForm({ dispute: { reference, outcomes }, onClose, onDone, onStale }: FormProps) {
  const api = useApi()
  const form = useForm({
    schema: closeDisputeBody,
    initial: { outcome: '', ...emptyReasonValues },
    submit: (body) => submitOrRefresh(api.call(closeDispute, { params: { reference }, body }), onStale),
    onSuccess: () => onDone('Dispute closed.'),
  })
  return (
    <form {...form.props}>
      <SelectField
        form={form}
        name="outcome"
        label="Outcome"
        placeholder="Choose one"
        options={outcomes.map((value) => ({ value, label: outcomeNames[value] }))}
      />
      <ReasonFields form={form} names={disputeReasonNames} />
      <ConsequenceList
        items={[
          form.values.outcome === 'lost'
            ? 'The disputed amount can’t be refunded'
            : 'The disputed amount becomes refundable again',
          'The dispute reopens if the gateway reports anything new',
        ]}
      />
      <FormFooter form={form} does="Close dispute" onClose={onClose} />
    </form>
  )
}
