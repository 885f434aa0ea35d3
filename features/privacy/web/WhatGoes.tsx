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
      <h2 className={s.heading}>What goes</h2>
      <ul className={s.list}>
        {lost.map((one) => (
          <LostNumber key={one.number} lost={one} />
        ))}
        <li>Your name, email address, password, saved card and everything else in your account.</li>
        <li>What we sent you, how much you used, and what you told us on the way.</li>
      </ul>
      <h2 className={s.heading}>What stays</h2>
      <ul className={s.list}>
        <li>
          Your invoices and credit notes, with your name, email address and number on them: {law} has us keep them for{' '}
          {years} years. Download what you need of them before.
        </li>
        <li>Orders and payments as figures, and what was done in the account and when, without your name.</li>
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
      {lost.plan && ends && <span>{` What is left of ${lost.plan} until ${ends} is lost, with its add-ons.`}</span>}
      {lost.next_plan && <span>{` ${lost.next_plan}, paid as your next plan, does not start.`}</span>}
      {lost.auto_renewal && <span> It renews by itself no more.</span>} <span>Nothing is refunded.</span>
    </li>
  )
}
