import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import type { Activation } from '../activation.contract.ts'
import { formatNumberToTransfer } from './number-to-transfer.ts'
import * as s from './wizard.module.css'

export function EnteredDetails({ activation }: { activation: Activation }) {
  const { market } = useBootstrap()
  const { phone_number, full_name, email } = activation
  const rows: [string, string | undefined][] = [
    ['SIM pack number', phone_number],
    ['Number to transfer', formatNumberToTransfer(activation, market.phoneRegion)],
    ['Name', full_name],
    ['Email', email],
  ]
  return (
    <Card>
      <h2 className={s.heading}>Your details so far</h2>
      <SummaryList rows={rows.filter(([, value]) => value)} />
    </Card>
  )
}
