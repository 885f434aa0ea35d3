import type { FastifyInstance } from 'fastify'

export function guideRoutes(_app: FastifyInstance): void {}
