<?php
/** Makes calls by a generated client: run.php FOLDER BASE, calls on standard input, answers on standard output. */

namespace GuzzleHttp\Psr7 {
    /** The generator is older than Debian's Guzzle, which has this elsewhere. */
    function build_query(array $query): string
    {
        return Query::build($query);
    }
}

namespace {
    use OpenAPI\Client\{ApiException, Configuration, ObjectSerializer};

    [, $folder, $base] = $argv;
    require "/usr/share/php/GuzzleHttp/autoload.php";
    spl_autoload_register(function (string $class) use ($folder): void {
        $file = "$folder/lib/" . str_replace(["OpenAPI\\Client\\", "\\"], ["", "/"], $class) . ".php";
        if (is_file($file)) {
            require $file;
        }
    });

    $configuration = (new Configuration())->setHost($base);
    $apis = array_map(function (string $file) use ($configuration) {
        $class = "OpenAPI\\Client\\Api\\" . basename($file, ".php");
        return new $class(new GuzzleHttp\Client(), $configuration);
    }, glob("$folder/lib/Api/*.php"));

    $answers = [];
    foreach (json_decode(stream_get_contents(STDIN), true) as ["operation" => $operation, "parameters" => $parameters]) {
        [$api] = array_values(array_filter($apis, fn ($api) => method_exists($api, $operation)));
        try {
            $answers[] = ObjectSerializer::sanitizeForSerialization($api->$operation(...$parameters));
        } catch (ApiException $error) {
            $answers[] = ["status" => $error->getCode()] + json_decode((string) $error->getResponseBody(), true);
        }
    }
    echo json_encode($answers, JSON_PRESERVE_ZERO_FRACTION);
}
