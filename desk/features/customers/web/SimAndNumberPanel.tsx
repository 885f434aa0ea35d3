import { formatDate } from '#kit/contract/dates.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { type NumberView, showSimNumber } from '../number.contract.ts'
import { useMomentFormatter } from './SidePanels.tsx'
import { MaskedValue } from './MaskedValue.tsx'
import { numberQuery } from './number.queries.ts'
import { FactList } from './FactList.tsx'
import { useCustomerRequest } from './use-customer-request.ts'
import * as s from './customer.module.css'
import * as own from './number.module.css'

type Props = { id: string; service: string; number: NumberView }

export function SimAndNumberPanel({ id, service, number: { sim, ports, released } }: Props) {
  const { zone } = useBootstrap().market
  const call = useCustomerRequest(numberQuery(useApi(), id, service))
  const show = async () => (await call((api) => api.call(showSimNumber, { params: { id, service } }))).iccid
  const isNewNumber = ports !== null && !ports.some(({ has_moved: hasMoved }) => hasMoved)
  return (
    <Panel title="SIM and number">
      <FactList
        rows={[
          ['SIM', <MaskedValue key="sim" masked={sim.masked} label="Show the SIM number" show={show} />],
          ['Active since', formatDate(sim.since, zone)],
          isNewNumber && ['Origin', 'New number from us'],
          released && ['Returned to the network', formatDate(released, zone)],
        ]}
      />
      {ports && ports.length > 0 && <Ports ports={ports} />}
    </Panel>
  )
}

function Ports({ ports }: { ports: NonNullable<NumberView['ports']> }) {
  const formatMoment = useMomentFormatter()
  return (
    <div className={own.next}>
      <h3>Number transfers</h3>
      <ul className={s.list}>
        {ports.map(({ reference, words, at }) => (
          <li key={reference}>
            <Link href={`/ports/${reference}/`}>{words}</Link>
            <p className={s.small}>{formatMoment(at)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
