import type { Injector } from '../injector.ts'
import { skew, step } from './clocks.ts'
import { connectionLimit } from './connection-limit.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { endlessResponses } from './endless-responses.ts'
import { freeze } from './freeze.ts'
import { garbledResponses } from './garbled-responses.ts'
import { hugeResponses } from './huge-responses.ts'
import { kill } from './kill.ts'
import { lockHolder } from './lock-holder.ts'
import { networkEvents, notifications } from './notifications.ts'
import { overload } from './overload.ts'
import {
  errorFaults,
  gatewayFaults,
  hangUpFaults,
  lostResponseFaults,
  messageFaults,
  networkFaults,
  slowResponseFaults,
} from './provider-faults.ts'
import { pipelining } from './pipelining.ts'
import { relayOutage } from './relay-outage.ts'
import { restart } from './restart.ts'
import { secondProduct } from './second-product.ts'
import { terminate } from './terminate.ts'
import { vanish } from './vanish.ts'
import { wrongResponses } from './wrong-responses.ts'

export const injectors: readonly Injector[] = [
  kill,
  freeze,
  gatewayFaults,
  networkFaults,
  messageFaults,
  errorFaults,
  lostResponseFaults,
  hangUpFaults,
  slowResponseFaults,
  garbledResponses,
  endlessResponses,
  hugeResponses,
  wrongResponses,
  relayOutage,
  secondProduct,
  pipelining,
  notifications,
  networkEvents,
  overload,
  terminate,
  restart,
  connectionLimit,
  lockHolder,
  failover,
  vanish,
  diskFull,
  skew,
  step,
]
