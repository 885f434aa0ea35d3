import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { cancelOrder, type DeskOrder, orderActionBody, retryOrder } from '../orders.contract.ts'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'

export type OrderAction = 'retry' | 'cancel'

const labels = {
  retry: {
    title: 'Try this order again',
    press: 'Try again',
    pending: 'Sending',
    done: 'The order is being tried again.',
  },
  cancel: {
    title: 'Cancel this order',
    press: 'Cancel order',
    pending: 'Sending',
    done: 'The order is being cancelled.',
  },
  cancelPlan: {
    title: 'Cancel next plan',
    press: 'Cancel next plan',
    pending: 'Cancelling',
    done: 'The next plan is being cancelled.',
  },
} as const

const getActionLabels = (act: OrderAction, { plan_waits: planWaits }: DeskOrder) =>
  labels[act === 'cancel' && planWaits ? 'cancelPlan' : act]

type Props = {
  order: DeskOrder
  act: OrderAction | null
  onClose: () => void
  onDone: (text: string) => void
}

export function ActionDrawer({ order, act, onClose, onDone }: Props) {
  return (
    <Drawer title={act ? getActionLabels(act, order).title : ''} open={act !== null} onClose={onClose}>
      {act && <ActionForm key={act} {...{ order, act, onClose, onDone }} />}
    </Drawer>
  )
}

function ActionForm({ order, act, onClose, onDone }: Props & { act: OrderAction }) {
  const api = useApi()
  const actionLabels = getActionLabels(act, order)
  const call = { retry: retryOrder, cancel: cancelOrder }[act]
  const form = useForm({
    schema: orderActionBody,
    initial: emptyReasonValues,
    submit: (body) => withFormErrors(api.call(call, { params: { code: order.code }, body })),
    onSuccess: () => onDone(actionLabels.done),
  })
  return (
    <form {...form.props}>
      <ReasonFields form={form} />
      <ConsequenceList items={act === 'retry' ? retryEffects : listCancellationEffects(order)} />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText={actionLabels.pending}>
          {actionLabels.press}
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

const retryEffects = ['The failed or waiting step is tried now', 'Steps that are already done are not repeated']

const listCancellationEffects = ({ undone: parts, customer, plan_waits: planWaits }: DeskOrder): string[] => [
  ...(parts.length > 0
    ? parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    : ['There’s nothing to undo at the gateway or the network']),
  planWaits
    ? `${customer.name} gets an email about the cancellation`
    : `${customer.name} doesn’t get the order, and is told by email`,
]
