import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatLongDate } from '#kit/contract/days.ts'
import { useApi } from '#kit/web/api.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { voucherReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { requestBatch, batchBodySchema } from '../batches.contract.ts'
import type { Stock } from '../stock.contract.ts'
import { pluralize } from './count.labels.ts'
import { stockQuery } from './stock.queries.ts'
import * as s from './stock.module.css'

export default function NewBatchPage() {
  const { data, error, refetch } = useQuery(stockQuery(useApi()))
  return (
    <>
      <header className={s.title}>
        <nav aria-label="Breadcrumb" className="muted">
          <Link href="/stock/">Stock</Link>
        </nav>
        <h1>Make vouchers</h1>
      </header>
      <Panel title="New batch" note="needs another person’s approval">
        {error && !data && (
          <Unavailable what="We couldn’t load the plans." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={5} />}
        {data && <BatchForm plans={data.plans} />}
      </Panel>
    </>
  )
}

function BatchForm({ plans }: Pick<Stock, 'plans'>) {
  const api = useApi()
  const navigate = useNavigate()
  const form = useForm({
    schema: batchBodySchema,
    initial: { count: '', plan: '', expires: '', ...emptyReasonValues },
    submit: async (body) => (await withFormErrors(api.call(requestBatch, { body }))).data,
    onSuccess: ({ id }) => navigate(`/stock/batches/${id}/`),
  })
  const options = plans.map(({ id, title, price, hidden }) => ({
    value: id,
    label: `${title}, ${formatPriceWithCommas(decimalToCents(price))}${hidden ? ', not on sale now' : ''}`,
  }))
  return (
    <form {...form.props} className={s.form}>
      <FormErrors form={form} />
      <TextField form={form} name="count" label="Number of vouchers" inputMode="numeric" autoComplete="off" />
      <SelectField form={form} name="plan" label="Plan" options={options} placeholder="Choose a plan" />
      <TextField form={form} name="expires" label="Valid until the end of" type="date" autoComplete="off" />
      <ReasonFields form={form} names={voucherReasonNames} />
      <p className={s.sum} role="status">
        {formatTotal(form.values, plans)}
      </p>
      <SubmitButton form={form} wide pendingText="Sending the request">
        Request approval
      </SubmitButton>
    </form>
  )
}

type BatchFormValues = { count: string; plan: string; expires: string }

export function formatTotal({ count, plan, expires }: BatchFormValues, plans: Stock['plans']): string {
  const product = plans.find(({ id }) => id === plan)
  const quantity = Number(count)
  if (!product || !Number.isInteger(quantity) || quantity < 1 || Number.isNaN(Date.parse(expires)))
    return 'Enter the number of vouchers, the plan and the last valid day.'
  const worth = formatPriceWithCommas(decimalToCents(product.price) * quantity)
  return `${pluralize(quantity, 'voucher', 'vouchers')} × ${product.title}, valid until ${formatLongDate(expires)}, worth ${worth}.`
}
