import { useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import type { Tone } from '#kit/web/desk/tone.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Link } from '#kit/web/Link.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import { stockSearchSchema, searchStock, type StockItem } from '../stock.contract.ts'
import * as s from './stock.module.css'

export function FindVoucherOrSim() {
  const api = useApi()
  const [found, setFound] = useState<StockItem | null>(null)
  const form = useForm({
    schema: stockSearchSchema,
    initial: { text: '' },
    async submit(body) {
      setFound(null)
      try {
        return (await api.call(searchStock, { body })).data
      } catch (failure) {
        // If nothing is found, the message is shown at the field. Forms show only errors with status 400 there, so a 404 becomes a 400.
        throw failure instanceof ApiError && failure.status === 404 ? new ApiError(400, failure.body) : failure
      }
    },
    onSuccess(one) {
      setFound(one)
      form.set('text', '')
    },
  })
  return (
    <Panel title="Find a voucher or SIM pack">
      <form {...form.props} className={s.find} aria-label="Find a voucher or a SIM pack">
        <FormErrors form={form} />
        <TextField form={form} name="text" label="Voucher code or ICCID" autoComplete="off" spellCheck={false} />
        <DenseButton
          type="submit"
          icon="search"
          disabled={!form.canSubmit}
          aria-busy={form.status === 'submitting' || undefined}
        >
          Find
        </DenseButton>
      </form>
      <div role="status">{found && <FoundItem found={found} />}</div>
    </Panel>
  )
}

const itemStateLabels: Record<StockItem['state'], { text: string; tone: Tone }> = {
  unused: { text: 'Unused', tone: 'good' },
  held: { text: 'Held by an order', tone: 'warn' },
  redeemed: { text: 'Used', tone: 'plain' },
  expired: { text: 'Expired', tone: 'bad' },
  void: { text: 'Void', tone: 'bad' },
  not_for_sale: { text: 'Not on sale yet', tone: 'warn' },
}

function FoundItem({ found: { of, state, plan, expires, at, order, from } }: { found: StockItem }) {
  const { zone } = useBootstrap().market
  const { text, tone } = itemStateLabels[state]
  return (
    <div className={s.found}>
      <p>
        <TonePill tone={tone}>{text}</TonePill> {of === 'sim' ? 'SIM pack' : 'Voucher'}
        {plan && <span> for {plan}</span>}
        {at && <span>, {formatDayAndTime(at, zone)}</span>}
      </p>
      {order && <p>Order {order.path ? <Link href={order.path}>{order.code}</Link> : <span>{order.code}</span>}</p>}
      {expires && state === 'unused' && (
        <p className="muted">Valid until {appendZone(formatDayAndTime(expires, zone), zone)}</p>
      )}
      {from && (
        <p>
          {of === 'sim' ? 'Load' : 'Batch'} <Link href={from.path}>{from.id}</Link>
        </p>
      )}
    </div>
  )
}
