import type { Injector } from '../injector.ts'
import { skew, step } from './clocks.ts'
import { connectionLimit } from './connection-limit.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { endlessResponses } from './endless-responses.ts'
import { processFreeze } from './freeze.ts'
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
import { databaseRestart } from './restart.ts'
import { secondProduct } from './second-product.ts'
import { sessionTermination } from './terminate.ts'
import { databaseUnreachable } from './database-unreachable.ts'
import { wrongResponses } from './wrong-responses.ts'

export const injectors: readonly Injector[] = [
  kill,
  processFreeze,
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
  sessionTermination,
  databaseRestart,
  connectionLimit,
  lockHolder,
  failover,
  databaseUnreachable,
  diskFull,
  skew,
  step,
]
