import { formatDate } from '#kit/contract/dates.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { type NumberShown, showSim } from '../number.contract.ts'
import { useMoment } from './Beside.tsx'
import { Masked } from './Masked.tsx'
import { numberQuery } from './number.queries.ts'
import { Rows } from './Rows.tsx'
import { useCallAbout } from './use-call-about.ts'
import * as s from './customer.module.css'
import * as own from './number.module.css'

type Props = { id: string; service: string; number: NumberShown }

export function NumberLine({ id, service, number: { sim, ports, released } }: Props) {
  const { zone } = useBootstrap().market
  const call = useCallAbout(numberQuery(useApi(), id, service))
  const show = async () => (await call((api) => api.call(showSim, { params: { id, service } }))).iccid
  const isFromHere = ports !== null && !ports.some(({ has_moved: hasMoved }) => hasMoved)
  return (
    <Panel title="SIM and number">
      <Rows
        rows={[
          ['SIM', <Masked key="sim" masked={sim.masked} label="Show the SIM number" show={show} />],
          ['Active since', formatDate(sim.since, zone)],
          isFromHere && ['Origin', 'New number from us'],
          released && ['Returned to the network', formatDate(released, zone)],
        ]}
      />
      {ports && ports.length > 0 && <Ports ports={ports} />}
    </Panel>
  )
}

function Ports({ ports }: { ports: NonNullable<NumberShown['ports']> }) {
  const moment = useMoment()
  return (
    <div className={own.next}>
      <h3>Number transfers</h3>
      <ul className={s.list}>
        {ports.map(({ reference, words, at }) => (
          <li key={reference}>
            <Link href={`/ports/${reference}/`}>{words}</Link>
            <p className={s.small}>{moment(at)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
