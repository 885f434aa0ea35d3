import { type NetworkMapping, networkMappingSchema } from '#providers/network/mapping.ts'
import { type Fault, parseJson } from '#kit/server/config/json-files.ts'

/** What this carrier has otherwise (docs/carriers.md). @returns null when `fault` has been told what is wrong with it */
export const parseNetworkMapping = (file: string, text: string, fault: Fault): NetworkMapping | null =>
  parseJson(file, text, networkMappingSchema, fault)
