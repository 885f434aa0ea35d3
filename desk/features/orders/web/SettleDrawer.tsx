import { ApiError } from '#kit/contract/errors.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { settlementOutcomeLabels } from '#desk/features/approvals/approvals.contract.ts'
import { settlementReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { requestSettlement, type DeskOrder, requestSettlementBody } from '../orders.contract.ts'

type Props = {
  code: string
  unsettled: NonNullable<DeskOrder['unsettled']>
  deciders: string[]
  onClose: () => void
  onDone: (text: string) => void
  onStale: () => void
}

export function SettleDrawer({ open, ...props }: Props & { open: boolean }) {
  return (
    <Drawer title="Settle by hand" open={open} onClose={props.onClose}>
      {open && <SettleForm {...props} />}
    </Drawer>
  )
}

function SettleForm({ code, unsettled, deciders, onClose, onDone, onStale }: Props) {
  const api = useApi()
  const { of, reference, may } = unsettled
  const form = useForm({
    schema: requestSettlementBody,
    initial: { reference, said: may.length === 1 ? (may[0] ?? '') : '', psp_reference: '', ...emptyReasonValues },
    submit: (body) => withFormErrors(submitRequest(body)),
    onSuccess: () => onDone('Request sent. You’ll see the result on the Today page.'),
  })
  async function submitRequest(body: object): Promise<void> {
    try {
      await api.call(requestSettlement, { params: { code }, body })
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) onStale()
      throw failure
    }
  }
  const { said } = form.values
  return (
    <form {...form.props}>
      <SelectField
        form={form}
        name="said"
        label="What the gateway’s site shows"
        placeholder="Choose one"
        options={may.map((value) => ({ value, label: settlementOutcomeLabels[of][value] }))}
      />
      <TextField
        form={form}
        name="psp_reference"
        label="Gateway’s reference"
        hint={`Our reference is ${reference}.`}
        maxLength={32}
        uppercase
        autoComplete="off"
        spellCheck={false}
      />
      <ReasonFields form={form} names={settlementReasonNames} />
      <ConsequenceList
        items={[
          deciders.length > 0
            ? `Nothing happens until ${deciders.slice(0, 3).join(' or ')} approves it`
            : 'Nobody can approve this right now, so nothing will happen until someone can',
          ...(said === 'paid' || said === 'not_paid'
            ? [consequences[of][said](formatPriceWithCommas(decimalToCents(unsettled.amount)))]
            : []),
        ]}
      />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText="Sending the request">
          Request approval
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

type ConsequenceFormatter = (sum: string) => string

const consequences: Record<Props['unsettled']['of'], Record<'paid' | 'not_paid', ConsequenceFormatter>> = {
  payment: {
    paid: () => 'If approved, the order counts as paid and continues',
    not_paid: () => 'If approved, the payment counts as refused, and anything reserved for the order is released',
  },
  capture: {
    paid: (sum) => `If approved, ${sum} counts as taken, and the order continues`,
    not_paid: () => 'If approved, the order is reversed, and the amount reserved on the card is released',
  },
  refund: {
    paid: (sum) => `If approved, ${sum} counts as refunded, and the customer gets the credit note`,
    not_paid: () => 'If approved, the refund counts as refused, and can be made again',
  },
}
