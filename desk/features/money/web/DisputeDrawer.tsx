import { ApiError } from '#kit/contract/errors.ts'
import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { WillHappen } from '#kit/web/desk/WillHappen.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { disputeReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { noReason, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import {
  acceptBody,
  acceptDispute,
  closeBody,
  closeDispute,
  contestBody,
  contestDispute,
  type DeskDispute,
} from '../disputes.contract.ts'

export type DisputeAct = 'accept' | 'contest' | 'close'

const titles = {
  accept: 'Leave the money to the bank',
  contest: 'Contest this dispute',
  close: 'Close this dispute',
} as const

type FormProps = {
  dispute: DeskDispute
  onClose: () => void
  onDone: (words: string) => void
  onStale: () => void
}

export function DisputeDrawer({ act, ...props }: FormProps & { act: DisputeAct | null }) {
  return (
    <Drawer title={act ? titles[act] : ''} open={act !== null} onClose={props.onClose}>
      {act === 'accept' && <AcceptForm {...props} />}
      {act === 'contest' && <ContestForm {...props} />}
      {act === 'close' && <CloseForm {...props} />}
    </Drawer>
  )
}

/**
 * Shows a rejection's own message in the form. After a 409, the page is also reloaded, because somebody else was
 * faster.
 */
const sent = (call: Promise<unknown>, onStale: () => void): Promise<unknown> =>
  inWords(
    call.catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.status === 409) onStale()
      throw failure
    }),
  )

type EndProps<V extends object> = { form: Form<V>; does: string; onClose: () => void }

const End = <V extends object>({ form, does, onClose }: EndProps<V>) => (
  <>
    <FormErrors form={form} />
    <p>
      <SubmitButton form={form} pendingText="Writing it down">
        {does}
      </SubmitButton>{' '}
      <DenseButton onClick={onClose}>Not now</DenseButton>
    </p>
  </>
)

function AcceptForm({ dispute: { reference, amount }, onClose, onDone, onStale }: FormProps) {
  const api = useApi()
  const form = useForm({
    schema: acceptBody,
    initial: noReason,
    submit: (body) => sent(api.call(acceptDispute, { params: { reference }, body }), onStale),
    onSuccess: () => onDone('It is accepted. The money is left to the bank.'),
  })
  return (
    <form {...form.props}>
      <ReasonFields form={form} names={disputeReasonNames} />
      <WillHappen
        items={[
          `${formatSum(fromWire(amount))} is gone, and cannot be given back as well`,
          'The plan and the number stay as they are: block the customer on their page if this was fraud',
          'Nothing is told to the gateway: accept it at its own site, or let its time run out',
        ]}
      />
      <End form={form} does="Accept it" onClose={onClose} />
    </form>
  )
}

function ContestForm({ dispute: { reference, today }, onClose, onDone, onStale }: FormProps) {
  const api = useApi()
  const form = useForm({
    schema: contestBody,
    initial: { evidence: '', handed_in: today, ...noReason },
    submit: (body) => sent(api.call(contestDispute, { params: { reference }, body }), onStale),
    onSuccess: () => onDone('It is contested. Its date stays on the list until the gateway tells what came of it.'),
  })
  return (
    <form {...form.props}>
      <Banner kind="info">
        The gateway has no call for this: hand the evidence in at its own site first, then write down here that you did.
      </Banner>
      <TextField
        form={form}
        name="evidence"
        label="Its reference at the gateway"
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField form={form} name="handed_in" label="Handed in on" type="date" autoComplete="off" />
      <ReasonFields form={form} names={disputeReasonNames} />
      <WillHappen
        items={[
          'The money stays disputed until the bank decides',
          'Somebody looks what came of it by the day it is due',
        ]}
      />
      <End form={form} does="It is handed in" onClose={onClose} />
    </form>
  )
}

const outcomeNames = {
  won: 'We keep the money',
  lost: 'The money is gone',
  nothing: 'No money was ever taken',
} as const

function CloseForm({ dispute: { reference, outcomes }, onClose, onDone, onStale }: FormProps) {
  const api = useApi()
  const form = useForm({
    schema: closeBody,
    initial: { outcome: '', ...noReason },
    submit: (body) => sent(api.call(closeDispute, { params: { reference }, body }), onStale),
    onSuccess: () => onDone('It is closed.'),
  })
  return (
    <form {...form.props}>
      <SelectField
        form={form}
        name="outcome"
        label="What came of it"
        placeholder="Choose one"
        options={outcomes.map((value) => ({ value, label: outcomeNames[value] }))}
      />
      <ReasonFields form={form} names={disputeReasonNames} />
      <WillHappen
        items={[
          form.values.outcome === 'lost'
            ? 'The money cannot be given back as well'
            : 'The money can be given back again',
          'Should the gateway go on with it, it is open again',
        ]}
      />
      <End form={form} does="Close it" onClose={onClose} />
    </form>
  )
}
