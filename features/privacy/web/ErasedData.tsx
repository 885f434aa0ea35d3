import { formatDay } from '#kit/contract/format-moment.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { type ErasureView, legalRetention } from '../privacy.contract.ts'
import * as s from './privacy.module.css'

type LostNumberData = ErasureView['lost'][number]

export function ErasedData({ lost }: { lost: readonly LostNumberData[] }) {
  const { market } = useBootstrap()
  const { law, years } = legalRetention[market.code]
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>We delete</h2>
      <ul className={s.list}>
        {lost.map((lostNumber) => (
          <LostNumber key={lostNumber.number} lost={lostNumber} />
        ))}
        <li>Your name, email address, password, saved card and everything else in your account.</li>
        <li>The messages we sent you, your usage, and anything you told us while signing up.</li>
      </ul>
      <h2 className={s.heading}>We keep</h2>
      <ul className={s.list}>
        <li>
          Your invoices and credit notes, with your name, email address and number on them. {law} requires us to keep
          them for {years} years. Download any you need before then.
        </li>
        <li>
          The amounts of your orders and payments, and a record of what was done in your account and when. Your name is
          removed from these.
        </li>
      </ul>
    </Card>
  )
}

function LostNumber({ lost }: { lost: LostNumberData }) {
  const { market, serverTime } = useBootstrap()
  const planEndDate = lost.ends && formatDay(lost.ends, { zone: market.zone, now: serverTime })
  return (
    <li>
      <b className={s.number}>{lost.number}</b> stops working and goes back to the network.
      {lost.plan && planEndDate && (
        <span>{` You lose what’s left of ${lost.plan}, which runs until ${planEndDate}, and any Add-Ons.`}</span>
      )}
      {lost.next_plan && <span>{` Your next plan, ${lost.next_plan}, is already paid for but won’t start.`}</span>}
      {lost.auto_renewal && <span> Auto-renewal stops.</span>} <span>Nothing is refunded.</span>
    </li>
  )
}
