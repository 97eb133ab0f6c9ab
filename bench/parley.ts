/** The service, which reports its port to the benchmark that started it. */
import '../test/program/service-main.ts';
