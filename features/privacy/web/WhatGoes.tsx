import { formatDay } from '#kit/contract/moments.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { type ErasureView, keptByLaw } from '../privacy.contract.ts'
import * as s from './privacy.module.css'

type Lost = ErasureView['lost'][number]

export function WhatGoes({ lost }: { lost: readonly Lost[] }) {
  const { market } = useBootstrap()
  const { law, years } = keptByLaw[market.code]
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>We delete</h2>
      <ul className={s.list}>
        {lost.map((one) => (
          <LostNumber key={one.number} lost={one} />
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

function LostNumber({ lost }: { lost: Lost }) {
  const { market, serverTime } = useBootstrap()
  const ends = lost.ends && formatDay(lost.ends, { zone: market.zone, now: serverTime })
  return (
    <li>
      <b className={s.number}>{lost.number}</b> stops working and goes back to the network.
      {lost.plan && ends && (
        <span>{` You lose what’s left of ${lost.plan}, which runs until ${ends}, and any Add-Ons.`}</span>
      )}
      {lost.next_plan && <span>{` Your next plan, ${lost.next_plan}, is already paid for but won’t start.`}</span>}
      {lost.auto_renewal && <span> Auto-renewal stops.</span>} <span>Nothing is refunded.</span>
    </li>
  )
}
